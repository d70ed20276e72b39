/** Readers for values of unknown shape; they answer null instead of throwing. */

export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields | null {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Fields) : null;
}

export function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function finite(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One of the given words, or null. */
export function oneOf<W extends string>(value: unknown, words: readonly W[]): W | null {
  return words.find((word) => word === value) ?? null;
}

/** RFC 3339 to ms since 1970, or null. */
export function moment(value: unknown): number | null {
  const parsed = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(parsed) ? null : parsed;
}

/** Keeps what `read` understands and drops the rest. */
export function each<T>(value: unknown, read: (item: unknown) => T | null): T[] {
  return list(value).flatMap((item) => {
    const understood = read(item);
    return understood === null ? [] : [understood];
  });
}

/** A JSON object, or null for anything else. */
export function parseObject(raw: string): Fields | null {
  try {
    return fields(JSON.parse(raw));
  } catch {
    return null;
  }
}
