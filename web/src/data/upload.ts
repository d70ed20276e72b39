/** What an organizer sends that is longer than a form: the session goes ahead of it. */

import { toldBy, type Credentials, type Told } from './session';

/** Null: the server does not answer. */
export async function upload(
  path: string,
  { username, password }: Credentials,
  body: BodyInit,
  revision: string | null = null,
): Promise<Told | null> {
  const headers: Record<string, string> = { authorization: `Session ${username} ${password}` };
  if (revision !== null) headers['if-match'] = `"${revision}"`;
  return toldBy(fetch(`/setup/${path}`, { method: 'POST', headers, body }));
}

/** A file that the server makes; null: it did not come whole. */
export async function fetchFile(
  what: string,
  credentials: Credentials,
  wanted: object,
): Promise<Blob | null> {
  const body = JSON.stringify({ ...credentials, ...wanted });
  const headers = { 'content-type': 'application/json' };
  try {
    const response = await fetch(`/setup/${what}`, { method: 'POST', headers, body });
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}
