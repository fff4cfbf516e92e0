import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { cueEnd } from '../../core/media/read-cues.ts';

/** As much text as no subtitles have: of what lies behind it nothing is read. */
const mostBytes = 64 * 1024 * 1024;

/** When the last cue of an SRT or WebVTT file ends, in seconds; undefined where it has none. */
export async function measureCues(path: string): Promise<number | undefined> {
  const input = createReadStream(path, { encoding: 'utf8', end: mostBytes - 1 });
  let last: number | undefined;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = cueEnd(line);
    if (end !== undefined) last = Math.max(last ?? 0, end);
  }
  return last;
}
