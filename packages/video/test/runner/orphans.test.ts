import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expectNoProcessIn, processesIn } from '@media-jobs/testing/processes-in';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect, it } from 'vitest';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { clipWith } from '../builders/media/clips.ts';

const adapter = join(import.meta.dirname, '../../src/runner/encoder.ts');

it('ffmpeg ends when the process that started it is killed', async () => {
  const directory = await aTemporaryFolder();
  const command = {
    inputs: [{ path: await clipWith(), options: ['-stream_loop', '-1', '-re'] }],
    outputArguments: ['-c', 'copy', '-f', 'null', '-'],
  };
  const script = `
    import { ffmpegEncoder } from ${JSON.stringify(adapter)};
    await ffmpegEncoder(${JSON.stringify(ffmpegPrograms)}).run(${JSON.stringify(command)}, {
      directory: ${JSON.stringify(directory)},
      signal: new AbortController().signal,
      timeLimitSeconds: 60,
      stallSeconds: 60,
    });`;
  const worker = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  await expect.poll(() => processesIn(directory).length, { timeout: 20_000 }).toBeGreaterThan(0);
  worker.kill('SIGKILL');
  await expectNoProcessIn(directory);
});
