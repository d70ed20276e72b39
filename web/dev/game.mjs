// One fixture game played on one table, with a few tables in trouble on purpose.

import { Chess } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import { makeUci, parseUci } from 'chessops/util';
import { playersOf } from './fixtures/players.mjs';

const STEP_MS = 6000;
const OPENING_CLOCK_MS = 5_400_000;

/** Some tables do not simply play: by table number modulo 12. */
const TROUBLE = { 6: 'adrift', 9: 'ended', 10: 'silent', 11: 'blitz', 0: 'ready' };

export class Game {
  #number;
  #hall;
  #step;
  #position = Chess.default();
  #plies;
  #times;
  #result;
  #trouble;
  #moves = [];
  #next = 0;
  #sampled = 0;
  #clock = { white: OPENING_CLOCK_MS, black: OPENING_CLOCK_MS };
  #completed = true;
  #entered = null;
  #start = INITIAL_FEN;
  #players;
  #adjournment = null;
  #envelope = null;
  #rev = 0;

  constructor(number, { san, clocks_s, result }, hall, speed) {
    this.#number = number;
    this.#hall = hall;
    this.#players = playersOf(number);
    this.#trouble = TROUBLE[number % 12] ?? null;
    this.#step = (STEP_MS * (1 + (number % 5) * 0.2)) / speed;
    this.#plies = san.split(' ');
    this.#times = clocks_s.split(' ').map((seconds) => Number(seconds) * 1000);
    this.#result = result;
  }

  /** Starts somewhere in the middle, so that there is something to see. */
  begin() {
    const now = Date.now();
    const silent = this.#trouble === 'silent';
    const all = this.#trouble === 'ended' ? this.#plies.length : 16 + ((this.#number * 7) % 30);
    const first = this.#trouble === 'ready' ? 0 : all;
    while (this.#moves.length < first) {
      this.#play(now);
      this.#press();
    }
    if (this.#trouble === 'blitz') this.#clock = { white: 64_000, black: 171_000 };
    this.#hall.publish(this.#topic('device'), this.#device(silent ? 'silent' : 'online'));
    this.#publishAll(now);
    this.#next = now + this.#step * (0.2 + (this.#number % 7) / 7);
  }

  /** An arbiter has entered this result; `*`: the game goes on. */
  end(result) {
    this.#entered = result === '*' ? null : result;
    this.#publishAll(Date.now());
    return null;
  }

  /** An arbiter has set this position: a new score begins from it. */
  set(fen) {
    const setup = parseFen(fen);
    if (setup.isErr) return 'the FEN cannot be read';
    this.#position = Chess.fromSetup(setup.unwrap()).unwrap();
    this.#start = fen;
    this.#plies = [];
    this.#moves = [];
    this.#trouble = null;
    this.#publishAll(Date.now());
    return null;
  }

  /** An arbiter has taken the last moves back. */
  takeBack(plies) {
    if (plies > this.#moves.length) return 'there are not so many moves';
    const left = this.#moves.slice(0, this.#moves.length - plies);
    const begun = Chess.fromSetup(parseFen(this.#start).unwrap()).unwrap();
    left.forEach(({ san }) => begun.play(parseSan(begun, san)));
    [this.#position, this.#moves, this.#completed] = [begun, left, true];
    this.#trouble = 'adrift';
    this.#rev += 1;
    this.#publishAll(Date.now());
    return null;
  }

  /** An arbiter has put a passage right: the moves after it are those that were. */
  correct({ after, replaces = 0, moves, of }) {
    if (of !== this.#moves.length) return 'moves have been made meanwhile';
    const sans = this.#moves.map(({ san }) => san);
    const rest = this.#plies.slice(sans.length);
    sans.splice(after, replaces, ...moves);
    const begun = Chess.fromSetup(parseFen(this.#start).unwrap()).unwrap();
    const made = [];
    for (const san of sans) {
      const [move, side] = [parseSan(begun, san), begun.turn];
      if (move === undefined) return `${san} cannot be made`;
      made.push({ san, side, uci: makeUci(move) });
      begun.play(move);
    }
    this.#moves = made.map((move, index) => {
      const stays = index < after || index >= after + moves.length;
      const like = index < after + replaces ? index : Math.max(0, index - moves.length + replaces);
      const was = this.#moves[like] ?? this.#moves.at(-1);
      return { ...was, ...move, ply: index + 1, confidence: stays ? was.confidence : 'inferred' };
    });
    this.#position = begun;
    this.#plies = [...sans, ...rest];
    this.#rev += 1;
    this.#publishAll(Date.now());
    return null;
  }

  /** An arbiter has set the clock. */
  setClock(white, black) {
    this.#clock = { white, black };
    this.#sampled = Date.now();
    this.#publishClock(this.#sampled);
    return null;
  }

  /** An arbiter has granted these seconds. */
  grant(white, black) {
    this.#run(Date.now());
    return this.setClock(this.#clock.white + white * 1000, this.#clock.black + black * 1000);
  }

  seat(players) {
    this.seats(players);
    return null;
  }

  /** Gives who sat there before. */
  seats(players) {
    const before = this.#players;
    this.#players = players;
    this.#publishAll(Date.now());
    return before;
  }

  adjourn({ draw_offer, resumption, place }) {
    const sealed_by = this.#position.turn;
    const { white: white_ms, black: black_ms } = this.#clock;
    const fen = makeFen(this.#position.toSetup());
    this.#adjournment = { sealed_by, draw_offer, resumption, place, fen, white_ms, black_ms };
    this.#envelope = { by: sealed_by, move_number: this.#position.fullmoves };
    this.#publishAll(Date.now());
    return this.#adjournment;
  }

  /** One pawn is not where it stood. */
  resume() {
    this.#adjournment = null;
    this.#publishAll(Date.now());
    const text = { en: 'Square e4: white pawn missing.', fr: 'Case e4 : pion blanc absent.' };
    return { agrees: false, squares: [{ square: 'e4', expected: 'P', seen: null }], text };
  }

  /** Whether what is in the envelope is a legal move. */
  sealed(written) {
    if (this.#envelope === null) return 'no envelope waits';
    const move = parseSan(this.#position, written) ?? parseUci(written);
    const legal = move !== undefined && this.#position.isLegal(move);
    const verdict = legal ? 'legal' : move === undefined ? 'unreadable' : 'illegal';
    const san = legal ? makeSan(this.#position, move) : null;
    const text = { en: `What the Laws say of ${written}.`, fr: `Les Règles sur ${written}.` };
    return { by: this.#envelope.by, verdict, san, uci: legal ? makeUci(move) : null, text };
  }

  tick(now) {
    if (this.#trouble === null && this.#playedOut() && this.#entered === null) this.#again(now);
    if (!this.#playing()) return;
    if (now >= this.#next) this.#advance(now);
    else if (now - this.#sampled >= 1000) this.#publishClock(now);
  }

  /** A move is shown released first and completed a moment later, with the press. */
  #advance(now) {
    if (!this.#completed) {
      this.#run(now);
      this.#completed = true;
      this.#press();
      this.#moves.at(-1).status = 'completed';
      this.#next = now + this.#step;
    } else {
      this.#run(now);
      this.#play(now);
      this.#completed = false;
      this.#moves.at(-1).status = 'released';
      this.#next = now + Math.min(1200, this.#step / 4);
    }
    this.#publishAll(now);
  }

  /** The next game of the table, a while after the last. */
  #again(now) {
    if (now < this.#next + this.#step) return;
    this.#position = Chess.default();
    this.#moves = [];
    this.#clock = { white: OPENING_CLOCK_MS, black: OPENING_CLOCK_MS };
    this.#completed = true;
    this.#publishAll(now);
    this.#next = now + this.#step;
  }

  #playing() {
    const still = ['adrift', 'ended', 'silent', 'ready'].includes(this.#trouble);
    if (this.#adjournment !== null) return false;
    return !still && !this.#over() && this.#moves.length < this.#plies.length;
  }

  #play(now) {
    const ply = this.#moves.length + 1;
    const side = this.#position.turn;
    const san = this.#plies[ply - 1];
    const move = parseSan(this.#position, san);
    this.#position.play(move);
    this.#envelope = null;
    this.#moves.push({
      ply,
      san,
      uci: makeUci(move),
      side,
      clk_ms: this.#clock[side],
      emt_ms: this.#step,
      status: 'completed',
      confidence: ply % 23 === 9 ? 'inferred' : 'seen',
      at: new Date(now).toISOString(),
    });
  }

  /** With the press the mover's clock takes the time of the recorded game. */
  #press() {
    const last = this.#moves.at(-1);
    if (this.#trouble !== 'blitz') {
      this.#clock[last.side] = this.#times[last.ply - 1] ?? this.#clock[last.side];
    }
    last.clk_ms = this.#clock[last.side];
  }

  /** Takes the time since the last sample off the running clock. */
  #run(now) {
    const side = this.#running();
    if (side !== null && this.#sampled > 0) {
      this.#clock[side] = Math.max(0, this.#clock[side] - (now - this.#sampled));
    }
    this.#sampled = now;
  }

  #running() {
    if (['ended', 'ready'].includes(this.#trouble) || this.#over()) return null;
    if (this.#adjournment !== null) return null;
    return this.#completed ? this.#position.turn : opposite(this.#position.turn);
  }

  #over() {
    return this.#entered !== null || this.#playedOut();
  }

  #playedOut() {
    return this.#plies.length > 0 && this.#moves.length >= this.#plies.length;
  }

  #publishAll(now) {
    this.#hall.publish(this.#topic('board'), this.#board());
    this.#hall.publish(this.#topic('position'), this.#describe());
    this.#hall.publish(this.#topic('game'), this.#game());
    this.#publishClock(now);
  }

  #publishClock(now) {
    this.#run(now);
    this.#hall.publish(this.#topic('clock'), {
      white_ms: this.#clock.white,
      black_ms: this.#clock.black,
      running: this.#running(),
      flag: null,
      period: { white: 1, black: 1 },
      source: 'dgt',
      sampled_at: new Date(now).toISOString(),
    });
  }

  #device(state) {
    return { state, driver: 'dgt', serial: String(26000 + this.#number), battery: null, noise: 0 };
  }

  #board() {
    const placement = makeFen(this.#position.toSetup()).split(' ')[0];
    return { placement, agrees: this.#trouble !== 'adrift', lifted: [] };
  }

  #describe() {
    const last = this.#moves.at(-1);
    return {
      fen: makeFen(this.#position.toSetup()),
      ply: this.#moves.length,
      last: last ? { san: last.san, uci: last.uci } : null,
      status: last?.status ?? null,
      turn: this.#position.turn,
      check: this.#position.isCheck(),
      phase: this.#phase(),
      result: this.#over() ? (this.#entered ?? this.#result) : '*',
    };
  }

  #phase() {
    if (this.#over()) return 'ended';
    if (this.#adjournment !== null) return 'paused';
    if (this.#trouble === 'adrift' || this.#trouble === 'ready') return this.#trouble;
    return 'in_play';
  }

  #game() {
    return {
      players: this.#players,
      adjournment: this.#adjournment,
      envelope: this.#envelope,
      event: {},
      start_fen: this.#start,
      moves: this.#moves,
      rev: this.#rev,
      result: this.#over() ? (this.#entered ?? this.#result) : '*',
      termination: null,
    };
  }

  #topic(kind) {
    return `table/${this.#number}/${kind}`;
  }
}

function opposite(side) {
  return side === 'white' ? 'black' : 'white';
}
