import type { Size } from '../../media/frame-size.ts';

/** The layout of frames on sheets, row by row, and their interval. */
export type Tiling = {
  tile: Size;
  columns: number;
  rows: number;
  intervalSeconds: number;
  durationSeconds: number;
};

/** The number of frames, at least one, and of sheets. */
export function tileCounts({ columns, rows, intervalSeconds, durationSeconds }: Tiling) {
  // The tolerance absorbs the rounding error of the division.
  const tiles = Math.max(1, Math.ceil(durationSeconds / intervalSeconds - 1e-6));
  return { tiles, sheets: Math.ceil(tiles / (columns * rows)) };
}

/** A WebVTT file with a cue for each frame. Its text is the position, such as `sprite-001.jpg#xywh=160,0,160,90`. */
export function tileCues(tiling: Tiling, sheets: readonly string[]): string {
  const { intervalSeconds, durationSeconds } = tiling;
  const cues = Array.from({ length: tileCounts(tiling).tiles }, (_, index) => {
    const start = index * intervalSeconds;
    const end = Math.min(start + intervalSeconds, Math.max(durationSeconds, start + 0.001));
    return `${formatTimestamp(start)} --> ${formatTimestamp(end)}\n${tileReference(tiling, index, sheets)}\n`;
  });
  return ['WEBVTT\n', ...cues].join('\n');
}

function tileReference({ tile, columns, rows }: Tiling, index: number, sheets: readonly string[]): string {
  const onSheet = index % (columns * rows);
  const x = (onSheet % columns) * tile.width;
  const y = Math.floor(onSheet / columns) * tile.height;
  return `${sheets[Math.floor(index / (columns * rows))]}#xywh=${x},${y},${tile.width},${tile.height}`;
}

/** `00:01:02.500` */
function formatTimestamp(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const whole = Math.floor(milliseconds / 1000);
  const rest = String(milliseconds % 1000).padStart(3, '0');
  return `${twoDigits(whole / 3600)}:${twoDigits((whole / 60) % 60)}:${twoDigits(whole % 60)}.${rest}`;
}
