import { readFile } from 'node:fs/promises';
import { frameTimes, keyframeIndexes } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import type { BothWays } from './encode-both-ways.ts';
import { expectSameAudio, expectSameFrames } from './expect-single-pass-file.ts';

type Comparison = {
  /** The source's time base cannot state its frame rate, which is then estimated and differs a little. */
  isRounded?: boolean;
};

/** The joined HLS and DASH files are equivalent to those of a single pass. `encodeBothWays` verified the join. */
export async function expectSinglePassStream(both: BothWays, options: Comparison = {}): Promise<void> {
  expect(both.work.chunks.length).toBeGreaterThan(1);
  await expectSameStream(both.files, options);
}

/** The same renditions and audio, and the same playlists except for byte ranges, bit rates and dates. */
export async function expectSameStream(
  files: BothWays['files'],
  { isRounded = false }: Comparison = {},
): Promise<void> {
  const linesOf = isRounded ? roundedPlaylistLines : playlistLines;

  for (const { output, single, chunked } of files) {
    const { video, audio, referencesFiles } = output.expectation ?? {};
    if (video) await expectSameRendition(chunked, single);
    if (audio) await expectSameAudio(chunked, single);
    if (referencesFiles) expect(await linesOf(chunked)).toEqual(await linesOf(single));
  }
}

/** The same keyframes and timestamps. */
async function expectSameRendition(joined: string, single: string): Promise<void> {
  expect(await keyframeIndexes(joined)).toEqual(await keyframeIndexes(single));
  expect(await frameTimes(joined)).toEqual(await frameTimes(single));
  await expectSameFrames(joined, single);
}

/** The lines of a playlist without byte ranges and bit rates, and without the order of variants, which depends on them. */
export async function playlistLines(path: string): Promise<string[]> {
  const text = (await readFile(path, 'utf8')).replaceAll(/^(#EXT-X-STREAM-INF:.*)\n/gm, '$1 ');
  const lines = withoutRates(text.split('\n'));
  const isVariant = (line: string) => line.startsWith('#EXT-X-STREAM-INF:');
  return [...lines.filter((line) => !isVariant(line)), ...lines.filter(isVariant).toSorted()];
}

function withoutRates(lines: readonly string[]): string[] {
  return lines.map((line) =>
    line
      .replace(/^(#EXT-X-BYTERANGE):.*/, '$1')
      .replace(/BYTERANGE="\d+@0"/, 'BYTERANGE')
      .replace(/(BANDWIDTH=|bandwidth=")\d+/g, '$1')
      .replace(/(range|indexRange)="\d+-\d+"/g, '$1'),
  );
}

/** The same with lengths to two digits, and rates of frames to one. */
async function roundedPlaylistLines(path: string): Promise<string[]> {
  const lines = await playlistLines(path);
  return lines.map((line) =>
    line
      .replace(/EXTINF:([\d.]+)/, (_, seconds) => `EXTINF:${Number(seconds).toFixed(2)}`)
      .replace(/frameRate="(\d+)\/(\d+)"/, (_, frames, seconds) => (Number(frames) / Number(seconds)).toFixed(1)),
  );
}
