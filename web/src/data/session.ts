/** An arbiter's credentials for MQTT, asked of the server. */

import { readTexts, type Texts } from '../pure/alerts';
import { fields, finite, parseObject, text, type Fields } from '../pure/json';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

export type SessionAnswer =
  | Opened
  /** A name and password are wanted; `waitS`: too many were wrong, the next is to wait. */
  | { readonly kind: 'sign_in'; readonly waitS: number | null }
  | { readonly kind: 'closed'; readonly why: Texts }
  | { readonly kind: 'unreachable' };

export interface Opened {
  readonly kind: 'open';
  readonly credentials: Credentials;
  /** After so many seconds it ends; null: not known. */
  readonly lastsS: number | null;
  /** Whose session it is; null where these are a person's own credentials, or nobody's. */
  readonly arbiter: string | null;
  /** Who may change the configuration too. */
  readonly organizer: boolean;
}

export interface Login {
  readonly name: string;
  readonly password: string;
}

/** `shown`: a name and password, or the session of before; null: perhaps nothing is asked for. */
export async function askSession(shown: Login | Credentials | null): Promise<SessionAnswer> {
  try {
    const response = await fetch('/arbiter/session', request('POST', shown));
    return readAnswer(response.status, await response.text(), isLogin(shown));
  } catch {
    return { kind: 'unreachable' };
  }
}

export interface FirstAccount {
  readonly code: string;
  readonly name: string;
  readonly password: string;
}

/** The account of the first organizer, and a session of it. */
export async function askFirstAccount(account: FirstAccount): Promise<SessionAnswer> {
  try {
    const response = await fetch('/setup/account', request('POST', account));
    const body = await response.text();
    const why = readTexts(parseObject(body)?.['text']);
    // Each refusal has its reason here, and the form stays.
    const refused = response.status !== 200 && why !== null;
    return refused ? { kind: 'closed', why } : readAnswer(response.status, body, true);
  } catch {
    return { kind: 'unreachable' };
  }
}

/** Its rights end at once; where the server is not reached, in time. */
export async function endSession(credentials: Credentials): Promise<void> {
  try {
    await fetch('/arbiter/session', request('DELETE', credentials));
  } catch {
    return;
  }
}

export function isLogin(shown: Login | Credentials | null): boolean {
  return shown !== null && 'name' in shown;
}

type Paper = 'adjournment' | 'alerts' | 'decisions' | 'outlets' | 'results';

/** What is made for arbiters; null where it cannot be had. */
export async function askPaper(
  paper: Paper,
  credentials: Credentials,
  wanted: object,
): Promise<string | null> {
  const file = await askFile(paper, credentials, wanted);
  return file === null ? null : file.text();
}

/** The same, byte for byte: not every file is text in our encoding. */
export async function askFile(
  paper: Paper,
  credentials: Credentials,
  wanted: object,
): Promise<Blob | null> {
  try {
    const asked = request('POST', { ...credentials, ...wanted });
    const response = await fetch(`/arbiter/${paper}`, asked);
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}

export type Told =
  | { readonly kind: 'told'; readonly value: Fields }
  /** With a reason for the reader. */
  | { readonly kind: 'refused'; readonly why: Texts | null };

/** What organizers ask the server itself for; null: it does not answer. */
export async function askSetup(
  what: string,
  credentials: Credentials,
  wanted: object,
): Promise<Told | null> {
  return toldBy(fetch(`/setup/${what}`, request('POST', { ...credentials, ...wanted })));
}

/** What an answer says; null: there is none, or it cannot be read. */
export async function toldBy(answer: Promise<Response>): Promise<Told | null> {
  try {
    const response = await answer;
    const value = parseObject(await response.text());
    if (response.ok) return value === null ? null : { kind: 'told', value };
    return { kind: 'refused', why: readTexts(value?.['text']) };
  } catch {
    return null;
  }
}

function request(method: 'POST' | 'DELETE', shown: object | null): RequestInit {
  if (shown === null) return { method };
  const headers = { 'content-type': 'application/json' };
  return { method, headers, body: JSON.stringify(shown) };
}

export function readCredentials(body: string): Credentials | null {
  const value = fields(parseObject(body));
  const username = text(value?.['username']);
  const password = text(value?.['password']);
  return username === null || password === null ? null : { username, password };
}

/**
 * 403 with a reason means that no name would help (arbiter's pages on this machine only); with
 * 401, or after an attempt to sign in, the form stays.
 */
export function readAnswer(status: number, body: string, triedLogin: boolean): SessionAnswer {
  const value = fields(parseObject(body));
  const why = readTexts(value?.['text']);
  if (status === 200) {
    const credentials = readCredentials(body);
    if (credentials === null) return { kind: 'unreachable' };
    const lastsS = finite(value?.['lasts_s']);
    const arbiter = text(value?.['arbiter']);
    const organizer = value?.['organizer'] === true;
    return { kind: 'open', credentials, lastsS, arbiter, organizer };
  }
  if (status === 403 && why !== null && !triedLogin) return { kind: 'closed', why };
  if (status === 429) return { kind: 'sign_in', waitS: finite(value?.['wait_s']) ?? 1 };
  if (status === 401 || status === 403) return { kind: 'sign_in', waitS: null };
  return why === null ? { kind: 'unreachable' } : { kind: 'closed', why };
}
