/** Time controls that people know, and one that is put together by hand. */

export type Extra = 'increment' | 'delay' | 'bronstein';

export interface HandPeriod {
  /** Empty: for the rest of the game. */
  readonly moves: string;
  readonly minutes: string;
}

/** What is typed, as it is typed. */
export interface Hand {
  readonly periods: readonly HandPeriod[];
  readonly extra: Extra;
  readonly seconds: string;
}

/** By the name under which players know it; in the notation of the file (docs/time-controls.md). */
export const PRESETS: readonly (readonly [string, string])[] = [
  ['90+30', '5400+30'],
  ['40/90+30, 30+30', '40/5400+30:1800+30'],
  ['60+30', '3600+30'],
  ['25+10', '1500+10'],
  ['15+10', '900+10'],
  ['10+5', '600+5'],
  ['5+3', '300+3'],
  ['3+2', '180+2'],
  ['Armageddon 5/4', '300+3@61|240+3@61'],
];

const MARK: Readonly<Record<Extra, string>> = { increment: '+', delay: '+d', bronstein: '+b' };
const PERIOD = /^(?:(\d+)\/)?(\d+)(?:\+([db]?)(\d+))?$/;

/** In the notation of the file; null: something is missing, or is no number. */
export function written(hand: Hand): string | null {
  const seconds = hand.seconds.trim() === '' ? '0' : hand.seconds.trim();
  if (!/^\d+$/.test(seconds) || hand.periods.length === 0) return null;
  const extra = Number(seconds) === 0 ? '' : `${MARK[hand.extra]}${Number(seconds)}`;
  const last = hand.periods.length - 1;
  const periods = hand.periods.map(({ moves, minutes }, index) => {
    const main = inSeconds(minutes);
    const counted = moves.trim();
    if (main === null || !/^\d*$/.test(counted)) return null;
    // Without a number of moves the next period would begin when the time is used up.
    if (counted === '' && index < last) return null;
    return `${counted === '' ? '' : `${Number(counted)}/`}${main}${extra}`;
  });
  return periods.includes(null) ? null : periods.join(':');
}

/** What a form for it shows; null where it is written in the file's notation only. */
export function byHand(control: string): Hand | null {
  const periods: HandPeriod[] = [];
  const extras = new Set<string>();
  for (const period of control.split(':')) {
    const found = PERIOD.exec(period);
    if (found === null) return null;
    const [, moves = '', main = '', mark = '', seconds = ''] = found;
    extras.add(`${mark} ${seconds}`);
    periods.push({ moves, minutes: String(Number(main) / 60) });
  }
  if (extras.size !== 1) return null;
  const [mark = '', seconds = ''] = [...extras].flatMap((it) => it.split(' '));
  const extra = mark === 'd' ? 'delay' : mark === 'b' ? 'bronstein' : 'increment';
  return { periods, extra, seconds };
}

/**
 * What a clock shows before the game, in ms; null where clocks differ or nothing is asked for. The
 * first move's increment is given beforehand, as is what Bronstein's way can give back.
 */
export function startMs(control: string): Readonly<Record<'white' | 'black', number>> | null {
  const [white, black, ...more] = control.split('|').map(startOfOne);
  if (white === undefined || white === null || more.length > 0) return null;
  if (black === null) return null;
  return { white, black: black ?? white };
}

const FIRST_PERIOD = /^(?:\d+\/)?(\d+)(?:\+([db]?)(\d+)(?:@(\d+))?)?(?::|$)/;

function startOfOne(periods: string): number | null {
  const hourglass = /^\*(\d+)$/.exec(periods);
  if (hourglass !== null) return Number(hourglass[1]) * 1000;
  const [, main, kind = '', extra = '0', from = '1'] = FIRST_PERIOD.exec(periods) ?? [];
  if (main === undefined) return null;
  // A delay is nowhere on the clock's face beforehand, nor is what comes with later moves only.
  const ahead = kind === 'd' || from !== '1' ? 0 : Number(extra);
  return (Number(main) + ahead) * 1000;
}

/** Minutes, also with a fraction: `1.5` or `1,5`. */
function inSeconds(minutes: string): number | null {
  const plain = minutes.trim().replace(',', '.');
  if (!/^\d+(\.\d+)?$/.test(plain)) return null;
  return Math.round(Number(plain) * 60);
}
