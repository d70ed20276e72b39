// What the Article says, where it is needed.

import { accessible } from './access.mjs';
import { shoot } from './browser.mjs';
import { INCIDENT, openAlert, reads, smallTargets, until } from './checks.mjs';

/** On a tap, in the language of the reader, and what is read with it. */
export async function articleIsRead(page) {
  const illegal = page.locator('.alert', { hasText: /7\.5\.1/ }).first();
  await illegal.waitFor({ timeout: INCIDENT });
  await openAlert(page, await illegal.getAttribute('data-id'));
  const article = page.locator('.alert-sheet details.alert-article');
  await article.locator('summary').click();
  const text = article.locator('.article-text');
  await until(async () => /7\.5\.5/.test(await text.innerText()), 'nothing is told');
  await reads(text, /7\.5\.1 .*(pendule est pressée|clock is pressed)/);
  await reads(text, /FIDE/);
  await smallTargets(page);
  await accessible(page, 'details.alert-article');
  await shoot(page, `article-${page.viewportSize().width}`);
  await article.locator('summary').click();
  await text.waitFor({ state: 'hidden' });
}
