import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { frameTimes, keyframeIndexes } from '../measure/measure-video.ts';
import type { BothWays } from './encode-both-ways.ts';
import { expectNoJoinDefect, expectSameAudio, expectSameFrames } from './expect-single-pass-file.ts';

type Comparison = {
  /** The source has a clock that cannot say its rate, which is then measured and comes out a little different. */
  isRounded?: boolean;
};

/** Nobody can tell a stream that was joined from that of one pass, and the join is found to be without a flaw. */
export async function expectSinglePassStream(both: BothWays, options: Comparison = {}): Promise<void> {
  expect(both.commands.chunks.length).toBeGreaterThan(1);
  await expectSameStream(both.files, options);
  await expectNoJoinDefect(both);
}

/** The same sizes and the same sound, and playlists that say the same but for where bytes lie and how many there are. */
export async function expectSameStream(
  files: BothWays['files'],
  { isRounded = false }: Comparison = {},
): Promise<void> {
  const say = isRounded ? aboutSaidIn : saidIn;

  for (const { output, single, chunked } of files) {
    const { video, audio, referencesFiles } = output.expectation ?? {};
    if (video) await expectSameSize(chunked, single);
    if (audio) await expectSameAudio(chunked, single);
    if (referencesFiles) expect(await say(chunked)).toEqual(await say(single));
  }
}

/** Segments begin with the same pictures; ffmpeg shows those where it believes the segment before to end. */
async function expectSameSize(joined: string, single: string): Promise<void> {
  const starts = await keyframeIndexes(single);
  expect(await keyframeIndexes(joined)).toEqual(starts);
  const [after, before] = [await frameTimes(joined), await frameTimes(single)];
  const between = (times: number[]) => times.filter((_, picture) => !starts.includes(picture));
  expect(after.length).toBe(before.length);
  expect(between(after)).toEqual(between(before));
  const off = starts.map((start) => Math.abs((after[start] ?? 0) - (before[start] ?? 0)));
  expect(Math.max(...off)).toBeLessThan(0.0021);
  await expectSameFrames(joined, single);
}

async function saidIn(path: string): Promise<string[]> {
  const lines = (await readFile(path, 'utf8')).split('\n');
  return lines.map((line) =>
    line
      .replace(/^(#EXT-X-PROGRAM-DATE-TIME|#EXT-X-BYTERANGE):.*/, '$1')
      .replace(/(BANDWIDTH=|bandwidth=")\d+/g, '$1')
      .replace(/(mediaRange|indexRange)="\d+-\d+"/g, '$1'),
  );
}

/** The same with lengths to two digits, and rates of frames to one. */
async function aboutSaidIn(path: string): Promise<string[]> {
  const lines = await saidIn(path);
  return lines.map((line) =>
    line
      .replace(/EXTINF:([\d.]+)/, (_, seconds) => `EXTINF:${Number(seconds).toFixed(2)}`)
      .replace(/frameRate="(\d+)\/(\d+)"/, (_, frames, seconds) =>
        (Number(frames) / Number(seconds)).toFixed(1),
      ),
  );
}
