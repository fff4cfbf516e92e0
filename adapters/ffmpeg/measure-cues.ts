import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { readCueEndSeconds } from '../../core/media/probe/read-cues.ts';

/** As much text as no subtitles have: of what lies behind it nothing is read. */
const maxBytes = 64 * 1024 * 1024;

/** When the last cue of an SRT or WebVTT file ends, in seconds; undefined where it has none. */
export async function measureCues(path: string): Promise<number | undefined> {
  const input = createReadStream(path, { encoding: 'utf8', end: maxBytes - 1 });
  let last: number | undefined;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = readCueEndSeconds(line);
    if (end !== undefined) last = Math.max(last ?? 0, end);
  }
  return last;
}
