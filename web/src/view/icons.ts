/** The line drawings of the pages. */

export const ICONS = {
  flip: 'M7 4v15m0 0-3.5-3.5M7 19l3.5-3.5M17 20V5m0 0-3.5 3.5M17 5l3.5 3.5',
  sun:
    'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9' +
    'M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1.4 1.4m11.2 11.2L19 19M5 19l1.4-1.4M17.6 6.4 19 5',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  grid: 'M4 4h6.5v6.5H4zM13.5 4H20v6.5h-6.5zM4 13.5h6.5V20H4zM13.5 13.5H20V20h-6.5z',
  back: 'M14.5 5 7.5 12l7 7',
  forward: 'm9.5 5 7 7-7 7',
  play: 'M8 5v14l11-7z',
  pause: 'M8 5v14M16 5v14',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  bellOff: 'M6 16V11a6 6 0 0 1 9-5.2M18 11v5l2 2H4l2-2M10 21h4M4 3l17 18',
  first: 'M18 5l-8 7 8 7M6 5v14',
  last: 'M6 5l8 7-8 7M18 5v14',
  print: 'M7 9V3h10v6M7 17H4V9h16v8h-3M7 14h10v7H7z',
  lift: 'M12 20V5m0 0L6 11m6-6 6 6',
  put: 'M12 4v12m0 0-5-5m5 5 5-5M5 20h14',
  press: 'M12 3v7m0 0-3-3m3 3 3-3M5 20v-4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v4z',
  hand: 'M8 21h8M9 21v-4l-2-5 3-2V6a2 2 0 1 1 4 0v4l3 2-2 5v4',
  speech: 'M4 5h16v11H11l-4 4v-4H4z',
  dot: 'M12 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
} as const;
