/**
 * The measures of the wall: as many columns, and the parts of a tile so placed, as make boards and
 * text largest without scrolling.
 */

/** Below this (px) pieces are hard to tell apart, so the wall scrolls instead. */
const SMALLEST_BOARD = 168;
/** Where the tables come page by page there is no reason to go that far. */
const SMALLEST_ON_A_PAGE = 200;
const SMALLEST_TEXT = 13;
const LARGEST_TEXT = 40;
const TEXT_PER_BOARD = 0.058;

/** What a tile has besides its board, in multiples of the text size. */
const BESIDES = {
  /** Number and last move, then a player, above the board; the other player below. */
  stacked: { width: 0, height: 6.1 },
  /** Players above and below, number and last move at the left of the board. */
  flanked: { width: 4.4, height: 4.1 },
} as const;
/** Where there is room to spare, text and lines may be this much larger. */
const ROOMY = { stacked: 1.2, flanked: 1.5 } as const;
const ROOMY_LINES = 1.35;
/** More beside a board than this many text sizes is better left between the tables. */
const WIDEST_FLANK = 8;
/** Where all stands at the right of the board: the width of that, in multiples of the board. */
const NARROWEST_SIDE = 0.6;
const WIDEST_SIDE = 1;
/** The same in multiples of the text size: a name with its initial, and with all there is. */
const SIDE_PER_TEXT = 12;
const ROOMY_SIDE_PER_TEXT = 18;
/**
 * A player's line in multiples of the text size: a surname of fifteen letters, as long as the
 * longest of well-known players, with points and a clock that shows hours.
 */
const LINE_PER_TEXT = 15;

/** A featured table takes this many places each way. */
export const FEATURED_SPAN = 2;
/** Its text grows by less: names are rather whole than large. */
const FEATURED_TEXT = 1.6;

export type Layout = 'stacked' | 'flanked' | 'beside';

/** The measures of one tile, in px. */
export interface Tiling {
  readonly layout: Layout;
  /** Side of the board, a multiple of 8 so that the squares meet without seams. */
  readonly board: number;
  /** Width of the tile besides its board. */
  readonly side: number;
  /** Height of the tile. */
  readonly height: number;
  /** Text size. */
  readonly text: number;
}

export interface Grid extends Tiling {
  readonly columns: number;
  readonly rows: number;
  /** Between the tiles, in px. */
  readonly columnGap: number;
  readonly rowGap: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** How much larger everything has to be, to be read from as far away; else 1. */
  readonly scale?: number;
  /** The smallest letters (px) that were asked for. */
  readonly letters?: number | null;
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
  const legible = ({ board, text }: Grid) => {
    return board >= smallest * scaleOf(room) && text >= textIn(room).smallest;
  };
  const holdsNames = ({ layout, board, side }: Grid) => {
    return layout === 'beside' || board + side >= narrowestLine(room);
  };
  return Array.from({ length: places }, (_, index) => index + fewest)
    .flatMap((columns) => {
      const rows = rowsFor(places, featured, columns);
      return [
        fit('stacked', columns, rows, room),
        fit('flanked', columns, rows, room),
        fitBeside(columns, rows, room),
      ];
    })
    .filter((grid) => legible(grid) && holdsNames(grid))
    .reduce<Grid | null>((best, grid) => (best && worth(best) >= worth(grid) ? best : grid), null);
}

export function gridFor(tables: number, room: Room, featured = 0): Grid {
  return gridFitting(tables, featured, room) ?? scrolling(placesFor(tables, featured), room);
}

/** The most tables one page holds with boards that can be read. */
export function pageSize(featured: number, room: Room): number {
  let tables = featured + 1;
  while (gridFitting(tables + 1, featured, room, SMALLEST_ON_A_PAGE) !== null) tables += 1;
  return tables;
}

/** A featured tile is as large as four others with the gaps between them. */
export function featuredIn(grid: Grid): Tiling {
  const { layout, columnGap, rowGap } = grid;
  const span = (one: number, gap: number) => FEATURED_SPAN * one + (FEATURED_SPAN - 1) * gap;
  const width = span(grid.board + grid.side, columnGap);
  const height = span(grid.height, rowGap);
  const text = FEATURED_TEXT * grid.text;
  const besides = layout === 'beside' ? { width: 0, height: 0 } : BESIDES[layout];
  const most = Math.min(width - besides.width * text, height - besides.height * text);
  const board = eighths(layout === 'beside' ? Math.min(most, span(grid.board, rowGap)) : most);
  return { layout, board, side: width - board, height, text };
}

/** Featured tables stand side by side from the upper left; the others fill up around them. */
function rowsFor(places: number, featured: number, columns: number): number {
  const across = Math.floor(columns / FEATURED_SPAN);
  const high = across === 0 ? 0 : Math.ceil(featured / across) * FEATURED_SPAN;
  return Math.max(high, Math.ceil(places / columns));
}

/** The board counts more than what is written beside it. */
function worth({ board, text }: Grid): number {
  return board * Math.sqrt(text);
}

function fit(layout: 'stacked' | 'flanked', columns: number, rows: number, room: Room): Grid {
  const { width, height } = placeIn(columns, rows, room);
  const { smallest, largest } = textIn(room);
  const besides = BESIDES[layout];
  const along = (whole: number, share: number) => {
    return Math.min(whole - share * smallest, whole / (1 + share * TEXT_PER_BOARD));
  };
  const board = eighths(Math.min(along(width, besides.width), along(height, besides.height)));
  const most = Math.max(smallest, TEXT_PER_BOARD * board * ROOMY[layout]);
  const text = Math.min(largest, most, (height - board) / besides.height, flank(width - board));
  const side = layout === 'stacked' ? 0 : Math.min(width - board, WIDEST_FLANK * text);
  const lines = ROOMY_LINES * besides.height * text;
  const tile = { layout, board, side, height: Math.min(height, board + lines), text };
  return spread(tile, columns, rows, room);

  function flank(spare: number): number {
    return besides.width === 0 ? largest : spare / besides.width;
  }
}

/** For places that are wider than high. */
function fitBeside(columns: number, rows: number, room: Room): Grid {
  const { width, height } = placeIn(columns, rows, room);
  const { smallest, largest } = textIn(room);
  const spare = width - SIDE_PER_TEXT * smallest;
  const board = eighths(Math.min(height, width / (1 + NARROWEST_SIDE), spare));
  const enough = Math.max(NARROWEST_SIDE * board, ROOMY_SIDE_PER_TEXT * largest);
  const side = Math.floor(Math.min(width - board, WIDEST_SIDE * board, enough));
  const text = Math.min(largest, side / SIDE_PER_TEXT);
  return spread({ layout: 'beside', board, side, height: board, text }, columns, rows, room);
}

/** What is left over stands between the tiles and around them. */
function spread(tile: Tiling, columns: number, rows: number, room: Room): Grid {
  const { width, height } = placeIn(columns, rows, room);
  const spare = (whole: number, used: number, count: number) => {
    return room.gap + Math.max(0, ((whole - used) * count) / (count + 1));
  };
  const columnGap = spare(width, tile.board + tile.side, columns);
  return { ...tile, columns, rows, columnGap, rowGap: spare(height, tile.height, rows) };
}

function scrolling(places: number, room: Room): Grid {
  const smallest = Math.max(SMALLEST_BOARD * scaleOf(room), narrowestLine(room));
  const most = Math.floor((room.width + room.gap) / (smallest + room.gap));
  const columns = Math.max(1, Math.min(most, places));
  const { width } = placeIn(columns, 1, room);
  const board = eighths(width);
  const range = textIn(room);
  const text = Math.min(range.largest, Math.max(range.smallest, TEXT_PER_BOARD * board));
  const height = board + BESIDES.stacked.height * text;
  const rows = Math.ceil(places / columns);
  const tile = { layout: 'stacked', board, side: 0, height, text } as const;
  return { ...spread(tile, columns, 1, room), rows, rowGap: room.gap };
}

function placeIn(columns: number, rows: number, room: Room) {
  const width = (room.width - room.gap * (columns - 1)) / columns;
  const height = (room.height - room.gap * (rows - 1)) / rows;
  return { width, height };
}

function textIn(room: Room) {
  const scale = scaleOf(room);
  const smallest = Math.max(SMALLEST_TEXT * scale, room.letters ?? 0);
  return { smallest, largest: Math.max(smallest, LARGEST_TEXT * scale) };
}

/** Where letters of a size were asked for, names are rather fewer than smaller. */
function narrowestLine({ letters }: Room): number {
  return LINE_PER_TEXT * (letters ?? 0);
}

function scaleOf({ scale = 1 }: Room): number {
  return scale;
}

function eighths(side: number): number {
  return Math.max(64, Math.floor(side / 8) * 8);
}
