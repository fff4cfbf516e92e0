import type { VideoFormat } from '@media-jobs/video/media';
import { anEncoder, chunkSource, frameTimes } from '@media-jobs/video/testing';
import { expect } from 'vitest';
import { encodeBothWays } from './encode-both-ways.ts';
import { expectSinglePassFile } from './expect-single-pass-file.ts';

/** A clip of `longGap`, in which one frame is on screen from 3.96 s to 8.04 s: its video starts at 0 and lasts as long. */
export async function expectSameClipOfPause(format: VideoFormat, range: { start: number; end: number }): Promise<void> {
  const both = await encodeBothWays(await chunkSource('longGap'), format, { name: 'clip', ...range });
  await expectSinglePassFile(both);
  for (const path of [both.single, both.chunked]) {
    expect((await frameTimes(path))[0]).toBe(0);
    const { streams, durationSeconds } = await anEncoder().probe(path);
    const videoSeconds = streams[0]?.durationSeconds ?? durationSeconds;
    expect(videoSeconds, path).toBeCloseTo(range.end - range.start, 1);
  }
}
