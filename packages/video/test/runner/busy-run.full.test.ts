import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import type { Command } from '../../src/media/ffmpeg/command.ts';
import { clipWith } from '../builders/media/clips.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

it('a run does not count as stalled while it decodes up to its first frame', async () => {
  const command: Command = {
    inputs: [{ path: await clipWith(), options: ['-stream_loop', '600'] }],
    outputArguments: ['-vf', 'select=gte(t\\,900)', '-frames:v', '1', '-an', '-f', 'null', '-'],
  };
  const record = await anEncoder().run(command, {
    directory: await aTemporaryFolder(),
    signal: new AbortController().signal,
    timeLimitSeconds: 120,
    stallSeconds: 1.5,
  });
  expect(record.log).toContain('Stream mapping:');
});
