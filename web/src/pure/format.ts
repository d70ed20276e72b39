/** Moments and durations as people read them. */

/** `14:03:12` in the reader's time zone. */
export function timeOfDay(msSince1970: number): string {
  const date = new Date(msSince1970);
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}

/** `14:03` in the reader's time zone. */
export function minuteOfDay(msSince1970: number): string {
  return timeOfDay(msSince1970).slice(0, 5);
}

/** `27 November 2026 at 14:03`, as the language writes it: a hall knows no AM and PM. */
export function dayAndMinute(msSince1970: number, language: string): string {
  const at = new Date(msSince1970);
  return at.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23' });
}

export type Span = { readonly unit: 's' | 'min' | 'h'; readonly count: number };

/** A duration in the largest unit that does not round it to nothing. */
export function spanOf(ms: number): Span {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return { unit: 's', count: seconds };
  if (seconds < 3600) return { unit: 'min', count: Math.floor(seconds / 60) };
  return { unit: 'h', count: Math.floor(seconds / 3600) };
}

/** `−2.4 s`, `0.0 s`, `+0.3 s` with the decimal mark given. */
export function signedSeconds(ms: number, decimalMark: string): string {
  const tenths = (Math.abs(ms) / 1000).toFixed(1).replace('.', decimalMark);
  const sign = ms < 0 ? '−' : ms > 0 ? '+' : '';
  return `${sign}${tenths} s`;
}

/** `0:14:37`: a time as a chess clock shows it and is set to it, begun seconds as whole ones. */
export function clockSetting(ms: number): string {
  const total = Math.max(0, Math.ceil(ms / 1000));
  const [minutes, seconds] = [Math.floor(total / 60) % 60, total % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return `${Math.floor(total / 3600)}:${pad(minutes)}:${pad(seconds)}`;
}

/** `0:14:37` in ms; null for what no clock shows. */
export function readClockSetting(text: string): number | null {
  const [, hours, minutes, seconds] = /^\s*(\d{1,2}):([0-5]\d):([0-5]\d)\s*$/.exec(text) ?? [];
  if (hours === undefined) return null;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}
