// An alert as the daemon sends it, for scenarios that raise their own.

/** An illegal move by White that has just been told, but for what a scenario says otherwise. */
export function alertOf(id, table, other = {}) {
  return {
    id,
    table,
    gravity: 'summon',
    state: 'open',
    kind: 'illegal_move',
    article: '7.5.1',
    edition: '2023',
    side: 'white',
    move_number: 9,
    opened_at: new Date().toISOString(),
    lapses_at: null,
    text: { en: 'Illegal move.', fr: 'Coup illégal.' },
    facts: {},
    evidence: [],
    advice: [],
    mend: [],
    ...other,
  };
}
