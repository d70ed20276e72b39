// The scenarios that the program itself shows: its demonstration, and halls whose hands follow
// scripts, so that nobody moves while an arbiter fills in his forms.

import {
  arbiterActs,
  arbiterInTheDark,
  claimAnsweredLate,
  claimChecked,
  journalOfDecisions,
  ruledAtOnce,
  toolsOfATable,
  unknownTable,
} from './arbiter.mjs';
import { picture } from './checks.mjs';
import {
  startBrokenPort,
  startDaemon,
  startElsewhere,
  startFresh,
  startTables,
} from './daemon.mjs';
import {
  dark,
  LAPTOP,
  ORGANIZERS_PHONE,
  OVERLAY,
  PHONE,
  TABLET,
  TABLET_ASIDE,
  TV,
} from './devices.mjs';
import {
  earlierPositions,
  lostServer,
  noAlertInTheHall,
  oneTable,
  overlay,
  switches,
  wallMoves,
  wallOnPhone,
} from './hall.mjs';
import { playersWithOneTap, resultsOfOtherGames, resultWithOneTap } from './results.mjs';
import {
  adjournedAndResumed,
  clockWasSet,
  coloursExchanged,
  movesTakenBack,
  penaltiesListed,
  resultsOfTheRound,
  roundStarts,
  runningClock,
  scoreShownCounted,
  timeGiven,
  timeGranted,
  timeSheets,
} from './tools.mjs';
import { articleIsRead } from './articles.mjs';
import { dossierOf } from './dossier.mjs';
import { alertAndScore, comparedWithTheSheet } from './score.mjs';
import { freshMachine, notFromHere, seatedByTwo } from './setup.mjs';
import { theRestOfTheHall } from './organizer.mjs';
import { anotherSignsIn, undoStandsAbove } from './slips.mjs';
import { everySetting } from './settings.mjs';
import { hallCaredFor } from './care.mjs';
import { ruledByMistake, undoneOnASlowNetwork } from './undo.mjs';
import { boardGivenItsTable } from './which.mjs';

/** Somebody thinks for as long as the pages are tried: no game ends meanwhile. */
const THINKS = '+36000\n';
const thinking = (moves) => `${moves} ${THINKS}`;
const OPENING = 'e2^ e4v | e7^ e5v | g1^ f3v | b8^ c6v | f1^ b5v | a7^ a6v | b5^ a4v |';
/** White's knight has gone nowhere lawful, and has been pressed for. */
const ILLEGAL = 'e2^ e4v | e7^ e5v | g1^ g3v |';
const RUNNING = [OPENING, OPENING, ILLEGAL, OPENING, OPENING, OPENING].map(thinking);
const BROKEN = ['e2^ e4v e7^ e5v g1^ f3v b8^ c6v', 'd2^ d4v g8^ f6v'].map(thinking);
const MISTAKES = [ILLEGAL, ILLEGAL, ILLEGAL].map(thinking);
const STOPPED = [OPENING, ILLEGAL].map((moves) => thinking(`${moves} ~`));

/** Ten moves each, and nobody says how it ended; then the pieces are set up again. */
const PAWNS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const PLAYED = PAWNS.map((file) => `${file}2^ ${file}3v | ${file}7^ ${file}6v |`).join(' ');
const PUT_BACK = PAWNS.map((file) => `${file}3^ ${file}2v ${file}6^ ${file}7v`).join(' ');
const TWO_MORE = 'b1^ d2v | b8^ d7v | g1^ e2v | g8^ e7v |';
const KNIGHTS_BACK = 'd2^ b1v d7^ b8v e2^ g1v e7^ g8v';
const SET_UP = `${PLAYED} ${TWO_MORE} +1 ~ +2 ${KNIGHTS_BACK} ${PUT_BACK} +5 set:w=5400 set:b=5400`;
const MATE = 'f2^ f3v | e7^ e5v | g2^ g4v | d8^ h4v |';
const OTHER_GAMES = [SET_UP, MATE].map(thinking);
const TWO_ROUNDS = [
  { 1: ['Ann', 'Bob'], 2: ['Cy', 'Di'] },
  { 1: ['Cy', 'Ann'], 2: ['Di', 'Bob'] },
];
/** Those of table 3 play at table 2. */
const WRONG_TABLE = [OPENING, OPENING].map(thinking);
const ONE_ROUND = [{ 1: ['Ann', 'Bob'], 3: ['Cy', 'Di'] }];

/** Six boards, whose kings are lifted in turn, again and again; then everybody thinks. */
const KINGS = Array.from({ length: 6 }, (_, index) => {
  const round = `+${3 * (5 - index) + 1} e1^ +1 e1v +${3 * index + 1}`;
  return thinking(`~ ${Array(24).fill(round).join(' ')}`);
});

export function ofProgram(program) {
  const demonstration = () => startDaemon(program);
  const running = () => startTables(program, RUNNING);
  const stopped = () => startTables(program, STOPPED);
  const mistakes = () => startTables(program, MISTAKES, { languages: ['fr', 'en', 'es'] });
  const arbiters = { Claire: 'the word of Claire', Bruno: 'the word of Bruno' };
  const signedIn = () => startTables(program, [ILLEGAL].map(thinking), { arbiters });
  const rapid = () => startTables(program, [OPENING].map(thinking), { control: '900+10' });
  const broken = () => startBrokenPort(program, BROKEN);
  const others = () => startTables(program, OTHER_GAMES, { rounds: TWO_ROUNDS });
  const mistaken = () => startTables(program, WRONG_TABLE, { rounds: ONE_ROUND, absent: 1 });
  const which = { tablet: { ...TABLET, language: 'fr' }, phone: { ...PHONE, language: 'en' } };
  return [
    { open: mistaken, scenarios: tools({ 'players with one tap': playersWithOneTap }) },
    { open: others, scenarios: tools({ 'results of other games': resultsOfOtherGames }) },
    { open: demonstration, scenarios: alerts() },
    { open: running, scenarios: oneGame() },
    { open: running, scenarios: wholeRound() },
    { open: demonstration, scenarios: [...screens(), lost()] },
    ...Object.entries({ phone: ORGANIZERS_PHONE, laptop: LAPTOP }).map(([name, device]) => ({
      open: () => startFresh(program, KINGS),
      scenarios: [[`a fresh machine, ${name}`, device, '/setup', freshMachine(name, KINGS.length)]],
    })),
    {
      open: () => startFresh(program, []),
      scenarios: [['the hall is seated by two', LAPTOP, '/setup', seatedByTwo]],
    },
    ...Object.entries({ phone: ORGANIZERS_PHONE, laptop: LAPTOP }).map(([name, device]) => ({
      open: () => startFresh(program, []),
      scenarios: [[`the rest of the hall, ${name}`, device, '/setup', theRestOfTheHall(name)]],
    })),
    ...Object.entries({ phone: ORGANIZERS_PHONE, laptop: LAPTOP }).flatMap(([name, device]) => {
      const open = () => startFresh(program, []);
      const settings = everySetting(name, program);
      return [
        { open, scenarios: [[`every setting, ${name}`, device, '/setup', settings]] },
        {
          open,
          scenarios: [[`a hall is cared for, ${name}`, device, '/setup', hallCaredFor(name)]],
        },
      ];
    }),
    {
      open: () => startElsewhere(program),
      scenarios: [['another broker, set up elsewhere', ORGANIZERS_PHONE, '/setup', notFromHere]],
    },
    ...Object.entries(which).map(([name, device]) => ({
      open: broken,
      scenarios: [[`which table, ${name}`, device, '/arbiter', boardGivenItsTable(name)]],
    })),
    { open: stopped, scenarios: stoppedClocks() },
    { open: mistakes, scenarios: takenBack() },
    { open: mistakes, scenarios: tools({ 'undone on a slow network': undoneOnASlowNetwork }) },
    { open: mistakes, scenarios: dossiers() },
    ...Object.entries({ phone: ORGANIZERS_PHONE, tablet: TABLET, laptop: LAPTOP }).map(
      ([name, device]) => ({
        open: mistakes,
        scenarios: [[`Undo stands on no button, ${name}`, device, '/arbiter', undoStandsAbove]],
      }),
    ),
    { open: signedIn, scenarios: tools({ 'another arbiter signs in': anotherSignsIn }) },
    { open: rapid, scenarios: tools({ 'the score is shown five times': scoreShownCounted }) },
  ];
}

/** At a server that somebody else has started, where only what it shows can be looked at. */
export function elsewhere(url) {
  const open = async () => ({ url, foreign: true, stop: async () => {} });
  const scenarios = [...screens(), ...alerts(), ...oneGame(), ...wholeRound(), lost()];
  return [{ open, scenarios }];
}

function alerts() {
  const phone = picture('arbiter-phone', '.queue h2');
  return [
    ['two arbiters act on an alert', TABLET, '/arbiter', arbiterActs],
    ['the journal of decisions', TABLET, '/arbiter', journalOfDecisions],
    ['the arbiter in the dark', dark(TABLET), '/arbiter', arbiterInTheDark],
    ['the arbiter on a phone', PHONE, '/arbiter', phone],
  ];
}

function screens() {
  return [
    ['the wall moves and its clocks count', TV, '/', wallMoves],
    ['the wall in the dark', dark(TV), '/', picture('wall-dark')],
    ['the wall on a phone', PHONE, '/', wallOnPhone],
    ['language, colours and side can be switched', TV, '/', switches],
    ['one table', TV, '/table/1', oneTable],
    ['one table in the dark', dark(TV), '/table/1', picture('table-dark')],
    ['one table on a phone', PHONE, '/table/1', picture('table-phone')],
    ['earlier positions', TV, '/table/2', earlierPositions],
    ['a board for overlays', OVERLAY, '/embed/1', overlay],
    ['hall pages show no alert', TV, '/', noAlertInTheHall],
  ];
}

/** Ends the server, or cuts the page off from one that belongs to somebody else. */
function lost() {
  return ['a lost server is said plainly', TV, '/', lostServer];
}

function oneGame() {
  return tools({
    'an Article is read': articleIsRead,
    'from an alert to the score': alertAndScore,
    'the tools of a table': toolsOfATable,
    'a table that is not there': unknownTable,
    'a claim of a draw is checked': claimChecked,
    'a claim whose answer was lost': claimAnsweredLate,
    'moves are taken back': movesTakenBack,
    'colours are exchanged': coloursExchanged,
    'an adjournment': adjournedAndResumed,
    'the score is compared with the sheet': comparedWithTheSheet,
  });
}

function wholeRound() {
  return tools({
    'penalties are listed': penaltiesListed,
    'the time sheet': timeSheets,
    'the results of the round': resultsOfTheRound,
    'a round starts': roundStarts,
    'a clock that runs': runningClock,
    'time is given': timeGiven,
  });
}

/** Where clocks stand. */
function stoppedClocks() {
  return tools({
    'time is given while the clock stands': timeGiven,
    'a clock that stands was set': clockWasSet,
    'time is granted while the clock stands': timeGranted,
    'two arbiters rule at once': ruledAtOnce,
    'a result with one tap': resultWithOneTap,
  });
}

/** A ruling on another device in another language each time: none is left for the next. */
function takenBack() {
  return inHand((name, language) => ruledByMistake(name, language), 'a ruling is taken back');
}

function dossiers() {
  return inHand((name, language) => dossierOf(name, language), 'the dossier of an alert');
}

/** What arbiters have in their hands, by light and in the dark. */
function inHand(check, what) {
  const devices = {
    phone: { ...ORGANIZERS_PHONE, language: 'en' },
    tablet: { ...dark(TABLET_ASIDE), language: 'es' },
    'phone in the dark': { ...dark(ORGANIZERS_PHONE), language: 'fr' },
  };
  return Object.entries(devices).map(([name, device]) => {
    const tried = check(name.replaceAll(' ', '-'), device.language);
    return [`${what}, ${name}`, device, '/arbiter', tried];
  });
}

function tools(checks) {
  return Object.entries(checks).map(([name, check]) => [name, TABLET, '/arbiter', check]);
}
