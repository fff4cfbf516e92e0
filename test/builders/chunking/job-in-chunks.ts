import { expect } from 'vitest';
import type { Job } from '../../../core/jobs/record.ts';
import { aChunkedStage, clipUrl } from './a-chunked-stage.ts';
import { runToEnd } from './run-to-end.ts';

/** The ended job that compresses a file in chunks. */
export async function jobInChunks(source: string): Promise<Job> {
  const stage = await aChunkedStage();
  const ended = await runToEnd(stage, {
    mode: 'recipe',
    input: { url: clipUrl(source) },
    output: { format: 'mkv' },
    recipe: { name: 'compress', preset: 'ultrafast' },
    speed: 'fast',
  });
  expect(stage.unexpected).toEqual([]);
  expect(ended).toHaveProperty('chunking');
  return ended;
}
