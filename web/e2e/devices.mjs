// What the pages are looked at on: Playwright's options.

export const TV = { viewport: { width: 1920, height: 1080 }, colorScheme: 'light' };
export const UHD = { viewport: { width: 3840, height: 2160 }, colorScheme: 'light' };
export const PORTRAIT_TV = { viewport: { width: 1080, height: 1920 }, colorScheme: 'light' };
export const LAPTOP = { viewport: { width: 1366, height: 768 }, colorScheme: 'light' };
export const TABLET = { viewport: { width: 600, height: 1024 }, colorScheme: 'light' };
/** A tablet on its side. */
export const SIDE = { viewport: { width: 1024, height: 600 }, colorScheme: 'light' };
export const TABLET_ASIDE = { viewport: { width: 1180, height: 820 }, colorScheme: 'light' };
export const PHONE = {
  viewport: { width: 360, height: 740 },
  deviceScaleFactor: 2,
  colorScheme: 'light',
};
export const ORGANIZERS_PHONE = { ...PHONE, viewport: { width: 390, height: 844 } };
export const PHONE_ASIDE = { viewport: { width: 740, height: 360 }, colorScheme: 'light' };
export const SMALL = { viewport: { width: 320, height: 640 }, colorScheme: 'light' };
export const OVERLAY = { viewport: { width: 500, height: 580 } };

export function dark(device) {
  return { ...device, colorScheme: 'dark' };
}
