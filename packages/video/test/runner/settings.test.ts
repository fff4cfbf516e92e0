import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { startProcess } from '../../src/runner/process.ts';
import { withDefaults } from '../../src/runner/run.ts';

it('a program may write a file as large as the disk, which a Fargate task has by its settings', async () => {
  const directory = await aTemporaryFolder();
  const { blocks, bsize } = await statfs(directory);
  const sizeBytes = Math.floor(0.9 * blocks * bsize);
  const { limits } = withDefaults({ ffmpegPath: '', ffprobePath: '' });
  // The file has no bytes on the disk.
  const path = '/usr/bin/truncate';
  const { ended } = startProcess({ path, arguments: ['-s', String(sizeBytes), 'film.mp4'], directory }, { limits });
  expect(await ended).toEqual({ exitCode: 0, signal: null });
  expect((await stat(join(directory, 'film.mp4'))).size).toBe(sizeBytes);
});
