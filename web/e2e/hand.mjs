// Presses as a hand makes them: the same thing twice only when that is meant. The pages take two
// presses of one button within 0.4 s for one.

const APART_MS = 450;

/** From now on, whatever is clicked twice on a page is clicked as a hand does it. */
export async function clicksAsHandsDo(page) {
  await page.context().addInitScript(notePresses);
  const locators = Object.getPrototypeOf(page.locator('body'));
  if (Object.hasOwn(locators.click, 'asHandsDo')) return;
  const { click } = locators;
  locators.click = Object.assign(
    async function asHandsDo(options) {
      const wait = APART_MS - (await this.evaluate(pressedFor, null, options));
      if (wait > 0) await this.page().waitForTimeout(wait);
      await click.call(this, options);
    },
    { asHandsDo: true },
  );
}

/** Runs in the page: what has been pressed, and when, whatever else was pressed since. */
function notePresses() {
  const pressed = new WeakMap();
  window.pressedAt = (element) => pressed.get(element.closest('button, a')) ?? -Infinity;
  const note = ({ target }) => {
    const on = target instanceof Element ? target.closest('button, a') : null;
    if (on !== null) pressed.set(on, performance.now());
  };
  document.addEventListener('click', note, { capture: true });
}

/** Runs in the page: for how long (ms) this has not been pressed. */
function pressedFor(element) {
  return performance.now() - (window.pressedAt?.(element) ?? -Infinity);
}
