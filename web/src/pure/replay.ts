/** The gestures of an alert, step by step: what stood where, and what was in the air. */

import type { Alert, Evidence, Times } from './alerts';
import type { Side } from './payloads';
import { placementOf, squaresOf } from './placement';

/** A piece between being lifted and being put. */
export interface Airborne {
  readonly piece: string;
  readonly from: string;
  /** Where it will be put; null: it does not come back. */
  readonly to: string | null;
  readonly liftedMs: number;
  readonly putMs: number | null;
  /** The steps in which it was lifted and put: gestures of one scan share their time. */
  readonly liftedStep: number;
  readonly putStep: number;
}

/** How the board looks once a gesture is done. */
export interface Step {
  /** Relative to the alert, in ms. */
  readonly ms: number;
  /** The gesture; null before the first. */
  readonly gesture: Evidence | null;
  readonly placement: string;
  readonly air: readonly Airborne[];
  readonly pressed: Side | null;
  readonly clocks: Times | null;
}

/** From where to where a hand carried a piece. */
export type Path = readonly [string, string];

type Squares = Map<string, string>;

/** Empty when nothing can be shown: no board, or no gesture with a time. */
export function replayOf(alert: Alert): Step[] {
  const gestures = alert.evidence.filter(({ offsetMs }) => offsetMs !== null);
  const start = startOf(alert, gestures);
  if (start === null || gestures.length === 0) return [];
  const flights = flightsOf(gestures);
  const squares = new Map(start);
  const first = timeOf(gestures[0]);
  const steps = [still(first, placementOf(squares), alert.facts.clocks)];
  for (const gesture of gestures) {
    apply(squares, gesture);
    const index = steps.length;
    const before = steps[index - 1];
    steps.push({
      ms: timeOf(gesture),
      gesture,
      placement: placementOf(squares),
      air: flights.filter((it) => it.liftedStep <= index && index < it.putStep),
      pressed: gesture.what === 'press' ? gesture.side : null,
      clocks: gesture.clocks ?? before?.clocks ?? null,
    });
  }
  return steps;
}

/** The ways of the pieces, each once, in the order in which they were lifted. */
export function pathsOf(steps: readonly Step[]): Path[] {
  const flights = [...new Set(steps.flatMap(({ air }) => air))];
  return flights.flatMap(({ from, to }) => (to === null || to === from ? [] : [[from, to]]));
}

function still(ms: number, placement: string, clocks: Times | null): Step {
  return { ms, gesture: null, placement, air: [], pressed: null, clocks };
}

/**
 * What stood there at the end, with the gestures taken back, is surer than the agreed position:
 * the evidence may begin before or after it. Without it the agreed position has to do.
 */
function startOf({ facts }: Alert, gestures: readonly Evidence[]): Squares | null {
  const agreed = facts.fen === null ? null : squaresOf(facts.fen);
  const end = facts.surface === null ? null : squaresOf(facts.surface);
  if (end === null) return agreed;
  const back = new Map(end);
  [...gestures].reverse().forEach((gesture) => takeBack(back, gesture));
  return back;
}

function apply(squares: Squares, { what, square, piece }: Evidence): void {
  if (square === null) return;
  if (what === 'lift') squares.delete(square);
  if (what === 'put' && piece !== null) squares.set(square, piece);
}

function takeBack(squares: Squares, { what, square, piece }: Evidence): void {
  if (square === null) return;
  if (what === 'put') squares.delete(square);
  if (what === 'lift' && piece !== null) squares.set(square, piece);
}

/** A put takes the piece of its kind that was lifted last. */
function flightsOf(gestures: readonly Evidence[]): Airborne[] {
  const flights: Airborne[] = [];
  gestures.forEach((gesture, index) => {
    const { what, square, piece } = gesture;
    if (square === null || piece === null) return;
    const [ms, step] = [timeOf(gesture), index + 1];
    if (what === 'lift') flights.push(flight(piece, square, ms, step));
    if (what !== 'put') return;
    const own = lastIndex(flights, (it) => it.piece === piece && it.to === null);
    const begun = flights[own];
    if (begun !== undefined) flights[own] = { ...begun, to: square, putMs: ms, putStep: step };
  });
  return flights;
}

function flight(piece: string, from: string, liftedMs: number, liftedStep: number): Airborne {
  return { piece, from, to: null, liftedMs, putMs: null, liftedStep, putStep: Infinity };
}

function lastIndex<T>(items: readonly T[], wanted: (item: T) => boolean): number {
  return items.reduce((found, item, index) => (wanted(item) ? index : found), -1);
}

function timeOf(gesture: Evidence | undefined): number {
  return gesture?.offsetMs ?? 0;
}
