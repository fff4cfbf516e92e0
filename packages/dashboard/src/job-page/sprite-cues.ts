/** A thumbnail of a sprite: the box of a sheet that is shown from `start` to `end`, in seconds and pixels. */
export type Cue = { start: number; end: number; url: string; x: number; y: number; width: number; height: number };

/** Reads the cues of a sprite, WebVTT with spatial media fragments; none if they cannot be read. */
export async function readCues(cuesUrl: string, signal?: AbortSignal): Promise<Cue[]> {
  const answer = await fetch(cuesUrl, { signal: signal ?? null });
  return answer.ok ? parseCues(await answer.text(), cuesUrl) : [];
}

function parseCues(text: string, base: string): Cue[] {
  return [...text.matchAll(/([\d:.]+) --> ([\d:.]+)\s+(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/g)].map(
    ([, start = '', end = '', name = '', ...box]) => {
      const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
      return { start: secondsOf(start), end: secondsOf(end), url: new URL(name, base).href, x, y, width, height };
    },
  );
}

function secondsOf(timestamp: string): number {
  return timestamp.split(':').reduce((sum, value) => sum * 60 + Number(value), 0);
}

/** The styles of an element that shows a cue in its own size. */
export function cueStyle({ url, x, y, width, height }: Cue) {
  return { width: `${width}px`, height: `${height}px`, background: `url("${url}") -${x}px -${y}px` };
}
