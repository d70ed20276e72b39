/** Piece placements (the first field of a FEN), square by square. */

const FILES = 'abcdefgh';

/** The men by their letters in a placement, in lower case. */
export const MEN = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
} as const;

export type Man = (typeof MEN)[keyof typeof MEN];

/** The man of a letter in either case; null if there is none. */
export function manOf(letter: string): Man | null {
  const men: Readonly<Record<string, Man>> = MEN;
  return men[letter.toLowerCase()] ?? null;
}

/** Square name to piece letter; null unless it has eight ranks of eight squares. */
export function squaresOf(placement: string): Map<string, string> | null {
  const ranks = (placement.trim().split(/\s+/)[0] ?? '').split('/');
  if (ranks.length !== 8) return null;
  const squares = new Map<string, string>();
  for (const [index, rank] of ranks.entries()) {
    if (!readRank(rank, 8 - index, squares)) return null;
  }
  return squares;
}

/** The placement that shows these pieces. */
export function placementOf(squares: ReadonlyMap<string, string>): string {
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) =>
    [...FILES].map((file) => squares.get(`${file}${rank}`) ?? '1').join(''),
  );
  return ranks.join('/').replace(/1+/g, (gap) => String(gap.length));
}

/** The same pieces as they stand for whoever looks from the other side. */
export function turned(placement: string): string | null {
  const squares = squaresOf(placement);
  if (squares === null) return null;
  const across = (square: string) => {
    const [file = 'a', rank = '1'] = square;
    return `${FILES[7 - FILES.indexOf(file)] ?? file}${9 - Number(rank)}`;
  };
  return placementOf(new Map([...squares].map(([square, piece]) => [across(square), piece])));
}

/** Where this piece stands, if there is exactly one. */
export function squareOf(placement: string, piece: string): string | null {
  const found = [...(squaresOf(placement) ?? [])].filter(([, letter]) => letter === piece);
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** The squares on which two placements differ, in order from a8 to h1. */
export function differingSquares(before: string, after: string): string[] {
  const a = squaresOf(before);
  const b = squaresOf(after);
  if (a === null || b === null) return [];
  return allSquares().filter((square) => a.get(square) !== b.get(square));
}

function readRank(rank: string, number: number, squares: Map<string, string>): boolean {
  let file = 0;
  for (const letter of rank) {
    if (/[1-8]/.test(letter)) {
      file += Number(letter);
    } else if (/[pnbrqk]/i.test(letter)) {
      squares.set(`${FILES[file] ?? '?'}${number}`, letter);
      file += 1;
    } else {
      return false;
    }
  }
  return file === 8;
}

function allSquares(): string[] {
  return [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) => [...FILES].map((file) => `${file}${rank}`));
}
