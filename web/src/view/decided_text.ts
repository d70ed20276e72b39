/** What an order has decided, in a word or two. */

import type { Words } from '../i18n/words';
import { text, type Fields } from '../pure/json';
import { writtenText } from '../pure/result';

/** "upheld", "result 1–0", "moves taken back" */
export function decidedText(verb: string, body: Fields, words: Words): string {
  const ruling = text(body['ruling']);
  if (verb === 'rule' && ruling !== null) {
    return (words.ruled as Readonly<Record<string, string>>)[ruling] ?? ruling;
  }
  if (verb !== 'set_result') return words.verbs[verb] ?? verb;
  const result = text(body['result']) ?? '';
  return words.resultSet(result === '*' ? words.goesOn : writtenText(result));
}
