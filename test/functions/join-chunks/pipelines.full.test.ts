import { expect, it } from 'vitest';
import type * as z from 'zod';
import type { JobRequestRecord } from '../../../core/jobs/record.ts';
import { filenameOf } from '../../../core/jobs/stored-file.ts';
import type { recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { aChunkedStage, clipUrl } from '../../builders/chunking/a-chunked-stage.ts';
import { type ChunkSource, chunkSource } from '../../builders/chunking/chunk-sources.ts';
import { expectSameFile, expectSameFrames } from '../../builders/chunking/expect-single-pass-file.ts';
import { playlistLines } from '../../builders/chunking/expect-single-pass-stream.ts';
import { runToEnd } from '../../builders/chunking/run-to-end.ts';
import { aJobId } from '../../builders/jobs/jobs.ts';

type Steps = { name?: string; recipe: z.input<typeof recipeRequestSchema> }[];

const quick = { preset: 'ultrafast', crf: 20 } as const;

it.each<[ChunkSource, string, number, Steps]>([
  [
    'openGop',
    'jpg',
    3,
    [{ name: 'movie', recipe: { name: 'transcode' } }, { recipe: { name: 'thumbnail', at: 5 } }],
  ],
  [
    'constantRate',
    'm3u8',
    4,
    [
      { name: 'slow', recipe: { name: 'speed', factor: 0.75 } },
      // Below the maximum bit rate, which restarts with each chunk.
      { recipe: { name: 'hls', segmentSeconds: 2, preset: 'ultrafast', crf: 30 } },
    ],
  ],
  [
    'variableRate',
    'mp4',
    6,
    [
      { name: 'cut', recipe: { name: 'clip', start: 0.5, end: 11 } },
      { name: 'small', recipe: { name: 'resize', width: 128 } },
      { recipe: { name: 'compress', ...quick } },
    ],
  ],
  [
    'lateAudio',
    'mkv',
    6,
    [{ recipe: { name: 'compress', ...quick } }, { name: 'marked', recipe: { name: 'transcode', ...quick } }],
  ],
])(
  'the steps of %s to %s in chunks write the files of a single pass',
  async (kind, format, minChunks, steps) => {
    const source = await chunkSource(kind, { pixels: '320x180' });
    const stage = await aChunkedStage();
    const request = {
      mode: 'pipeline',
      input: { url: clipUrl(source) },
      output: { format },
      steps: steps as JobRequestRecord['steps'],
    };
    const chunked = await runToEnd(stage, { ...request, speed: 'fast' });
    const single = await runToEnd(stage, { ...request, speed: 'standard' }, { jobId: aJobId(2) });
    expect(stage.unexpected).toEqual([]);
    if (chunked.state !== 'completed' || single.state !== 'completed')
      throw new Error('A job did not complete');
    expect([single.attempt, single.chunking]).toEqual([1, undefined]);
    expect(chunked.attempt).toBeGreaterThan(1);
    expect(chunked.chunking?.chunks).toBeGreaterThanOrEqual(minChunks);
    expect(Object.keys(chunked.files).toSorted()).toEqual(Object.keys(single.files).toSorted());
    for (const [name, file] of Object.entries(single.files)) {
      const joined = chunked.files[name];
      if (joined === undefined) throw new Error(`There is no ${name}`);
      expect([filenameOf(joined), joined.filename]).toEqual([filenameOf(file), file.filename]);
      const [one, other] = [await stage.fetch(joined.key), await stage.fetch(file.key)];
      if (file.file_type === 'image') await expectSameFrames(one, other);
      if (file.file_type === 'playlist') expect(await playlistLines(one)).toEqual(await playlistLines(other));
      // The video of a stream is a file of its own.
      const isSilent = format === 'm3u8' && steps.every((step) => step.name !== name);
      if (file.file_type === 'video') await expectSameFile(one, other, { isSilent, isAudioCut: true });
    }
  },
);
