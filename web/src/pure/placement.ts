/** Piece placements (the first field of a FEN), square by square. */

const FILES = 'abcdefgh';

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
