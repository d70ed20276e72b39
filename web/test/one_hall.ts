/** A hall of its own, as the tests have it. */

import { Hall } from '../src/pure/hall';
import { Halls } from '../src/pure/halls';

export const HALL = new Hall('adoubed', '');

/** Its daemon, as a page knows it. */
export const THERE = { name: '', online: true, since: null, barred: false };

export function hallOf(base: string): Halls {
  return new Halls([{ base, name: '', pages: '' }]);
}
