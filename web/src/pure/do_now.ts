/** What an arbiter does with hands and voice if an alert is right, from its facts alone. */

import { Chess, normalizeMove } from 'chessops/chess';
import { parseFen } from 'chessops/fen';
import { parseSan } from 'chessops/san';
import { makeSquare } from 'chessops/util';
import type { Alert } from './alerts';
import { giftOf } from './consequences';
import { turnOf } from './moves';
import { differingSquares, squaresOf } from './placement';
import type { Side } from './payloads';

/** A square, and the FEN letter of what has to stand on it; null: nothing. */
export interface Put {
  readonly square: string;
  readonly piece: string | null;
}

/** One piece, and all squares where the Laws let it go now. */
export interface Ways {
  /** Its FEN letter; an upper-case one is White's. */
  readonly piece: string;
  readonly from: string;
  readonly to: readonly string[];
}

/** What is said to the players of a fault that has its penalty. */
export interface Told {
  readonly kind: string;
  /** Who gets time; null where the game ends instead. */
  readonly gift: { readonly to: Side; readonly seconds: number } | null;
  readonly result: string | null;
  /** Who has to move. */
  readonly mover: Side | null;
  /** What must be played, in SAN; empty where that is more than anybody says. */
  readonly moves: readonly string[];
}

export interface DoNow {
  /** What is to be put right on the board, from a8 to h1. */
  readonly put: readonly Put[];
  /** What must be played, piece by piece. */
  readonly ways: readonly Ways[];
  readonly told: Told | null;
}

/** Pieces are put back after these alone: a pawn on the last rank, say, becomes a queen. */
const REINSTATED = ['illegal_move'];

/** More ways than these are not read at a glance: the list of what the Laws provide has them. */
const AT_A_GLANCE = 4;

/** So many moves can be said; of more, the pieces are named that make them. */
const SAID = 3;

export function doNow(alert: Alert): DoNow {
  const told = toldOf(alert);
  const { fen, surface, obliged } = alert.facts;
  // Where no penalty is due nobody is to touch the board for it: it may not even be pointed out.
  const reinstated = told?.gift != null && REINSTATED.includes(alert.kind);
  const put = reinstated && fen !== null && surface !== null ? putRight(surface, fen) : [];
  const ways = fen === null ? [] : waysOf(fen, obliged);
  return { put, ways: ways.length > AT_A_GLANCE ? [] : ways, told };
}

function toldOf(alert: Alert): Told | null {
  const { kind, facts, mends } = alert;
  const gift = giftOf(alert);
  if (gift !== null) {
    const mover = facts.fen === null ? null : turnOf(facts.fen);
    const moves = facts.obliged.length > SAID ? [] : facts.obliged;
    return { kind, gift: { to: gift.to, seconds: gift.seconds }, result: null, mover, moves };
  }
  const results = mends.filter(({ verb }) => verb === 'set_result');
  if (facts.offence === null || results.length !== 1) return null;
  return { kind, gift: null, result: results[0]?.told ?? null, mover: null, moves: [] };
}

function putRight(surface: string, fen: string): Put[] {
  const wanted = squaresOf(fen);
  return differingSquares(surface, fen).map((square) => {
    return { square, piece: wanted?.get(square) ?? null };
  });
}

/** Moves in SAN, by the piece that makes them, in their order. */
function waysOf(fen: string, moves: readonly string[]): Ways[] {
  const setup = parseFen(fen);
  if (setup.isErr) return [];
  const position = Chess.fromSetup(setup.value);
  if (position.isErr) return [];
  const pieces = squaresOf(fen);
  const ways = new Map<string, Ways & { to: string[] }>();
  for (const san of moves) {
    const move = parseSan(position.value, san);
    if (move === undefined || !('from' in move)) continue;
    const from = makeSquare(move.from);
    const known = ways.get(from) ?? { piece: pieces?.get(from) ?? '', from, to: [] };
    const to = targetOf(san) ?? makeSquare(normalizeMove(position.value, move).to);
    if (!known.to.includes(to)) known.to.push(to);
    ways.set(from, known);
  }
  return [...ways.values()];
}

/** Castling by its sign: king and rook both go somewhere. */
function targetOf(san: string): string | null {
  if (san.startsWith('O-O')) return /^O-O(-O)?/.exec(san)?.[0] ?? null;
  return /[a-h][1-8](?=(=[QRBN])?[+#]?$)/.exec(san)?.[0] ?? null;
}
