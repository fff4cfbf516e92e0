import type { Size } from '../../media/frame-size.ts';

/** How pictures lie on sheets, row by row, and when each is seen. */
export type Tiling = {
  tile: Size;
  columns: number;
  rows: number;
  /** Seconds from one picture to the next. */
  intervalSeconds: number;
  durationSeconds: number;
};

/** How many pictures there are, at least one, and on how many sheets. */
export function tileCounts({ columns, rows, intervalSeconds, durationSeconds }: Tiling) {
  // Not one more for the rounding of a division.
  const tiles = Math.max(1, Math.ceil(durationSeconds / intervalSeconds - 1e-6));
  return { tiles, sheets: Math.ceil(tiles / (columns * rows)) };
}

/** A WebVTT file with a cue for each picture, which says where it is: `sprite-001.jpg#xywh=160,0,160,90`. */
export function tileCues(tiling: Tiling, sheets: readonly string[]): string {
  const { intervalSeconds, durationSeconds } = tiling;
  const cues = Array.from({ length: tileCounts(tiling).tiles }, (_, index) => {
    const start = index * intervalSeconds;
    const end = Math.min(start + intervalSeconds, Math.max(durationSeconds, start + 0.001));
    return `${clock(start)} --> ${clock(end)}\n${placeOf(tiling, index, sheets)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function placeOf({ tile, columns, rows }: Tiling, index: number, sheets: readonly string[]): string {
  const onSheet = index % (columns * rows);
  const x = (onSheet % columns) * tile.width;
  const y = Math.floor(onSheet / columns) * tile.height;
  return `${sheets[Math.floor(index / (columns * rows))]}#xywh=${x},${y},${tile.width},${tile.height}`;
}

/** `00:01:02.500` */
function clock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = Math.floor(milliseconds / 1000);
  const rest = String(milliseconds % 1000).padStart(3, '0');
  return `${two(whole / 3600)}:${two((whole / 60) % 60)}:${two(whole % 60)}.${rest}`;
}
