/** Runs before the first paint, so that the chosen colours do not flash; does nothing else. */

try {
  const chosen = localStorage.getItem('adoubed.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;
} catch {
  document.documentElement.removeAttribute('data-theme');
}
