/** The measures of the wall: as many columns as make the boards largest without scrolling. */

/** Below this (px) pieces are hard to tell apart, so the wall scrolls instead. */
const SMALLEST_BOARD = 168;
/** Where the tables come page by page there is no reason to go that far. */
const SMALLEST_ON_A_PAGE = 200;
const SMALLEST_TEXT = 13;
const LARGEST_TEXT = 40;
const TEXT_PER_BOARD = 0.058;
/** Where height is to spare, the text may be this much larger. */
const MOST_ROOMY = 1.2;
/** Height of a tile besides its board, in multiples of the text size. */
const ROWS_PER_TEXT = 6.1;
/** Where the players stand beside their board: the width of that, in multiples of the board. */
const NARROWEST_SIDE = 0.6;
const WIDEST_SIDE = 1;
/** The same in multiples of the text size: a name with its initial, and with all there is. */
const SIDE_PER_TEXT = 12;
const ROOMY_SIDE_PER_TEXT = 18;

/** A featured table takes this many places each way. */
export const FEATURED_SPAN = 2;
/** Its text grows by less: names are rather whole than large. */
export const FEATURED_TEXT = 1.6;

export interface Grid {
  readonly columns: number;
  readonly rows: number;
  /** Side of a board in px, a multiple of 8 so that the squares meet without seams. */
  readonly board: number;
  /** Width in px of what stands beside the board; 0: it stands above and below. */
  readonly side: number;
  /** Text size in px. */
  readonly text: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
}

/** How many places so many tables take, some of them featured. */
export function placesFor(tables: number, featured: number): number {
  return tables + featured * (FEATURED_SPAN * FEATURED_SPAN - 1);
}

/** Null when boards would be too small. `featured`: that many tables take four places each. */
export function gridFitting(
  tables: number,
  featured: number,
  room: Room,
  smallest = SMALLEST_BOARD,
): Grid | null {
  const places = Math.max(1, placesFor(tables, featured));
  const fewest = featured > 0 ? FEATURED_SPAN : 1;
  const best = Array.from({ length: places }, (_, index) => index + fewest)
    .flatMap((columns) => {
      const rows = rowsFor(places, featured, columns);
      const stacked = fit(columns, rows, room);
      return featured > 0 ? [stacked] : [stacked, fitBeside(columns, rows, room)];
    })
    .reduce((best, grid) => (isBetter(grid, best) ? grid : best));
  return best.board >= smallest ? best : null;
}

export function gridFor(tables: number, room: Room, featured = 0): Grid {
  return gridFitting(tables, featured, room) ?? scrolling(placesFor(tables, featured), room);
}

/** The most tables one page holds with boards that can be read, and how they stand there. */
export function pageGrid(featured: number, room: Room): { readonly tables: number; grid: Grid } {
  let tables = featured + 1;
  let grid = gridFor(tables, room, featured);
  for (let next = tables + 1; ; next += 1) {
    const larger = gridFitting(next, featured, room, SMALLEST_ON_A_PAGE);
    if (larger === null) return { tables, grid };
    tables = next;
    grid = larger;
  }
}

/** Featured tables stand side by side from the upper left; the others fill up around them. */
function rowsFor(places: number, featured: number, columns: number): number {
  const across = Math.floor(columns / FEATURED_SPAN);
  const high = across === 0 ? 0 : Math.ceil(featured / across) * FEATURED_SPAN;
  return Math.max(high, Math.ceil(places / columns));
}

function textFor(board: number): number {
  return Math.min(LARGEST_TEXT, Math.max(SMALLEST_TEXT, board * TEXT_PER_BOARD));
}

/** Larger boards; among equals the larger text. */
function isBetter(grid: Grid, than: Grid): boolean {
  return grid.board > than.board || (grid.board === than.board && grid.text > than.text);
}

function placeIn(columns: number, rows: number, room: Room) {
  const width = (room.width - room.gap * (columns - 1)) / columns;
  const height = (room.height - room.gap * (rows - 1)) / rows;
  return { width, height };
}

/** For places that are wider than high. */
function fitBeside(columns: number, rows: number, room: Room): Grid {
  const { width, height } = placeIn(columns, rows, room);
  const spare = width - SIDE_PER_TEXT * SMALLEST_TEXT;
  const most = Math.min(height, width / (1 + NARROWEST_SIDE), spare);
  const { board } = grid(columns, rows, most);
  const enough = Math.max(NARROWEST_SIDE * board, ROOMY_SIDE_PER_TEXT * LARGEST_TEXT);
  const side = Math.floor(Math.min(width - board, WIDEST_SIDE * board, enough));
  const text = Math.min(LARGEST_TEXT, side / SIDE_PER_TEXT);
  return { columns, rows, board, side, text };
}

function fit(columns: number, rows: number, room: Room): Grid {
  const { width, height } = placeIn(columns, rows, room);
  const spare = height - ROWS_PER_TEXT * SMALLEST_TEXT;
  const byHeight = Math.min(spare, height / (1 + ROWS_PER_TEXT * TEXT_PER_BOARD));
  const { board, text } = grid(columns, rows, Math.min(width, byHeight));
  const roomy = Math.min((height - board) / ROWS_PER_TEXT, text * MOST_ROOMY, LARGEST_TEXT);
  return { columns, rows, board, side: 0, text: Math.max(text, roomy) };
}

function scrolling(places: number, room: Room): Grid {
  const most = Math.floor((room.width + room.gap) / (SMALLEST_BOARD + room.gap));
  const columns = Math.max(1, Math.min(most, places));
  const side = (room.width - room.gap * (columns - 1)) / columns;
  return grid(columns, Math.ceil(places / columns), side);
}

function grid(columns: number, rows: number, side: number): Grid {
  const board = Math.max(64, Math.floor(side / 8) * 8);
  return { columns, rows, board, side: 0, text: textFor(board) };
}
