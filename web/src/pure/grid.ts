/** The measures of the wall: as many columns as make the boards largest without scrolling. */

/** Below this (px) pieces are hard to tell apart, so the wall scrolls instead. */
const SMALLEST_BOARD = 168;
const SMALLEST_TEXT = 13;
const LARGEST_TEXT = 26;
const TEXT_PER_BOARD = 0.058;
/** Where height is to spare, the text may be this much larger. */
const MOST_ROOMY = 1.2;
/** Height of a tile besides its board, in multiples of the text size. */
const ROWS_PER_TEXT = 6.1;

export interface Grid {
  readonly columns: number;
  /** Side of a board in px, a multiple of 8 so that the squares meet without seams. */
  readonly board: number;
  /** Text size in px. */
  readonly text: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

export function gridFor(count: number, room: Room): Grid {
  const fitting = Array.from({ length: Math.max(1, count) }, (_, index) => index + 1)
    .map((columns) => fit(columns, Math.ceil(Math.max(1, count) / columns), room))
    .reduce((best, grid) => (grid.board > best.board ? grid : best));
  return fitting.board >= SMALLEST_BOARD ? fitting : scrolling(count, room);
}

function textFor(board: number): number {
  return Math.min(LARGEST_TEXT, Math.max(SMALLEST_TEXT, board * TEXT_PER_BOARD));
}

function fit(columns: number, rows: number, room: Room): Grid {
  const width = (room.width - room.gap * (columns - 1)) / columns;
  const height = (room.height - room.gap * (rows - 1)) / rows;
  const spare = height - ROWS_PER_TEXT * SMALLEST_TEXT;
  const byHeight = Math.min(spare, height / (1 + ROWS_PER_TEXT * TEXT_PER_BOARD));
  const { board, text } = grid(columns, Math.min(width, byHeight));
  const roomy = Math.min((height - board) / ROWS_PER_TEXT, text * MOST_ROOMY, LARGEST_TEXT);
  return { columns, board, text: Math.max(text, roomy) };
}

function scrolling(count: number, room: Room): Grid {
  const most = Math.floor((room.width + room.gap) / (SMALLEST_BOARD + room.gap));
  const columns = Math.max(1, Math.min(most, count));
  return grid(columns, (room.width - room.gap * (columns - 1)) / columns);
}

function grid(columns: number, side: number): Grid {
  const board = Math.max(64, Math.floor(side / 8) * 8);
  return { columns, board, text: textFor(board) };
}
