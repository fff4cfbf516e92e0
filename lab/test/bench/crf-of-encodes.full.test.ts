// @module-tag nightly
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { defaultCrf } from '@media-jobs/video/media';
import { ffmpegEncoder } from '@media-jobs/video/runner';
import { expect, it } from 'vitest';
import { generatedFiles } from '../../bench/harness/model/generated-files.ts';
import { measurePair } from '../../bench/harness/model/measure-pair.ts';

it('two versions of a preset miss their processor time alike, whatever their CRF', async () => {
  const { ffmpeg, ffprobe } = findFfmpeg(process.env);
  const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe });
  const directory = await aTemporaryFolder();
  const content = { kind: 'scene', number: 1, grain: 0 } as const;
  const source = {
    content,
    size: { width: 640, height: 360 },
    framesPerSecond: 25,
    seconds: 4,
    encoder: 'h264',
  } as const;
  const input = await generatedFiles(ffmpeg, { encoder, directory })(source);
  const missOf = async (crf: number) => {
    const pair = { input, recipe: { name: 'compress', crf }, format: 'mp4' } as const;
    const { expected, measured } = await measurePair(pair, { encoder, ffmpeg, directory });
    return measured / expected;
  };
  const crfs = [22, 40];
  const misses = new Map<number, number[]>();
  // By turns: the speed of the machine changes.
  for (let round = 0; round < 3; round += 1) {
    for (const crf of [defaultCrf.h264, ...crfs]) misses.set(crf, [...(misses.get(crf) ?? []), await missOf(crf)]);
  }
  const median = (crf: number) => misses.get(crf)?.toSorted((one, other) => one - other)[1] ?? Number.NaN;
  for (const crf of crfs) {
    expect(median(crf) / median(defaultCrf.h264)).toBeLessThan(1.12);
    expect(median(crf) / median(defaultCrf.h264)).toBeGreaterThan(1 / 1.12);
  }
});
