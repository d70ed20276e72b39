/**
 * An arbiter's session over a reload of his page: in this tab, as long as it is open. It is no
 * one's password, the server ends it, and other tabs and pages do not see it.
 */

import { type Credentials, readCredentials } from './session';

const KEY = 'adoubed.session';

export function keptSession(): Credentials | null {
  try {
    return readCredentials(sessionStorage.getItem(KEY) ?? '');
  } catch {
    return null;
  }
}

/** Where the browser keeps nothing, the page asks again when it is loaded. */
export function keepSession(credentials: Credentials | null): void {
  try {
    if (credentials === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify(credentials));
  } catch {
    return;
  }
}
