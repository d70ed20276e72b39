/** How wide a name will be, without asking the layout. */

const FONT = '"Barlow Semi Condensed", Figurines, sans-serif';

const context = document.createElement('canvas').getContext('2d');

/** `size`: text size in px; the answer is in px. */
export function nameMeasure(size: number): (text: string) => number {
  return (text) => {
    if (context === null) return 0;
    context.font = `600 ${size}px ${FONT}`;
    return context.measureText(text).width;
  };
}
