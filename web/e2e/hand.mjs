// Presses as a hand makes them: the same thing twice only when that is meant. The pages take two
// presses of one button within 0.4 s for one.

const APART_MS = 450;

/** What was pressed last on each page, and when. */
const pressed = new WeakMap();

/** From now on, whatever is clicked twice on a page is clicked as a hand does it. */
export function clicksAsHandsDo(page) {
  const locators = Object.getPrototypeOf(page.locator('body'));
  if (Object.hasOwn(locators.click, 'asHandsDo')) return;
  const { click } = locators;
  locators.click = Object.assign(
    async function asHandsDo(options) {
      const [on, what] = [this.page(), String(this)];
      const last = pressed.get(on);
      const wait = last?.what === what ? last.at + APART_MS - performance.now() : 0;
      if (wait > 0) await on.waitForTimeout(wait);
      await click.call(this, options);
      pressed.set(on, { what, at: performance.now() });
    },
    { asHandsDo: true },
  );
}
