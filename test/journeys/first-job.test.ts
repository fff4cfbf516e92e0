// @module-tag jobs
import { execFile } from 'node:child_process';
import { copyFile, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCommands } from '@media-jobs/testing/has-commands';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

describe.runIf(hasCommands('curl', 'jq'))('docs/api.md', () => {
  let running: RunningStage;
  let folder: string;
  beforeAll(async () => {
    running = await aRunningStage();
    folder = await aTemporaryFolder();
  });

  it('compresses a file, downloads the result and creates a key with the commands as written', async () => {
    const page = await readFile('docs/api.md', 'utf8');
    const lines = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
    await copyFile(await clipWith(), join(folder, 'holiday.mov'));
    const { PATH } = process.env;
    const { stdout } = await promisify(execFile)('sh', ['-euc', lines], {
      cwd: folder,
      env: { PATH, MEDIA_JOBS_URL: running.stage.baseUrl, MEDIA_JOBS_KEY: running.apiKey },
    });
    const [job = '', key = ''] = stdout.split(/(?<=^\})\n/m);
    expect(JSON.parse(job)).toEqual({ state: 'completed', progress: 100, error: null });
    expect(JSON.parse(key)).toMatchObject({ scopes: ['uploads'] });
    expect((await stat(join(folder, 'holiday-small.mp4'))).size).toBeGreaterThan(1000);
  });
});
