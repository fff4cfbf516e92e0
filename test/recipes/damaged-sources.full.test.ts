// @module-tag sources
// @module-tag chunks
import {
  damagedFile,
  flippedBits,
  lostPackets,
  noise,
  nothing,
  type SourceName,
  wholeFile,
  wholeSources,
  zeros,
} from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { jobInChunks } from '../builders/chunking/job-in-chunks.ts';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';

it.each<[SourceName, string, (part: Buffer) => Uint8Array]>([
  ['h264.mp4', 'noise', noise],
  ['h264.mp4', 'zeros', zeros],
  ['h264.mp4', 'flipped bits', flippedBits],
  ['h264.mkv', 'noise', noise],
  ['h264.mkv', 'a cut', nothing],
  ['h264.ts', 'noise', noise],
  ['h264.ts', 'a cut', nothing],
  ['h264.ts', 'lost packets', lostPackets],
  ['mpeg2.ts', 'zeros', zeros],
  ['mpeg2.ts', 'lost packets', lostPackets],
  ['hevc.mp4', 'zeros', zeros],
  ['vp9.webm', 'noise', noise],
  ['prores.mov', 'noise', noise],
])('%s with %s has the warning of its missing frames, the same in chunks', async (name, _, change) => {
  const source = await damagedFile(name, [0.4, 0.6], change);
  const { warnings } = await runAsWorker(source, 'mkv', [{ name: 'compress', preset: 'ultrafast' }]);
  const message = expect.stringMatching(/of \d+ video frames, \d+ are missing or damaged/);
  expect(warnings).toContainEqual({ code: 'INPUT_DAMAGED', message });
  // A cut of Matroska may count one frame more in chunks.
  if (name !== 'vp9.webm' && change !== nothing)
    expect(await jobInChunks(source)).toMatchObject({ state: 'completed', warnings });
});

it.each(Object.keys(wholeSources) as SourceName[])('%s that is whole has no warning', async (name) => {
  const source = await wholeFile(name);
  for (const recipe of [{ name: 'compress' }, { name: 'clip', start: 3.3, end: 7 }] as const) {
    expect((await runAsWorker(source, 'mp4', [recipe])).warnings).toEqual([]);
  }
  expect(await jobInChunks(source)).not.toHaveProperty('warnings');
});

it.each<SourceName>(['hevc.mp4', 'prores.mov'])(
  'a job fails for good if most of its source is damaged: %s',
  async (name) => {
    const source = await damagedFile(name, [0.15, 0.85], noise);
    const error = { code: 'INPUT_DAMAGED', retryable: false };
    await expect(runAsWorker(source, 'mp4', [{ name: 'compress' }])).rejects.toMatchObject(error);
  },
);
