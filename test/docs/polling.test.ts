import { execFile, spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { beforeEach, describe, expect, it } from 'vitest';

const isThere = (command: string) => spawnSync(command, ['--version']).status === 0;

type Answer = [status: number, body: string];

const tooMany: Answer = [429, '{"message":"Too Many Requests"}'];
const processing: Answer = [200, '{"state":"processing","progress":5}'];

const hasTools = ['curl', 'jq'].every(isThere);

describe.skipIf(!hasTools)('the commands of docs/api.md that poll a job', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await aTemporaryFolder();
  });

  /** Runs them without pauses. The reads of the job have these answers, then it is completed. */
  async function poll(reads: Answer[], file: Answer = [200, 'the video']) {
    const page = await readFile('docs/api.md', 'utf8');
    const [call = ''] = /^call\(\) .*$/m.exec(page) ?? [];
    const [, commands = ''] = /^```sh\n(while result=[\s\S]*?)^```$/m.exec(page) ?? [];
    const server = await aWebServer(({ path, headers }, response, before) => {
      const signedUrl = `http://${headers.host}/signed`;
      const completed = JSON.stringify({ state: 'completed', progress: 100, output: { signedUrl } });
      if (path === '/signed') return response.writeHead(302, { location: '/file.mp4' }).end();
      const [status, body] = path === '/file.mp4' ? file : (reads[before.length] ?? [200, completed]);
      return response.writeHead(status).end(body);
    });
    const script = `sleep() { :; }\njob=1\n${call}\n${commands}`;
    const env = { PATH: process.env.PATH, MEDIA_JOBS_URL: server.origin, MEDIA_JOBS_KEY: 'nte_key' };
    return promisify(execFile)('sh', ['-euc', script], { cwd: folder, env });
  }

  it('wait until the job is terminal, also while the gateway throttles, and follow the redirect of its file', async () => {
    const { stdout } = await poll([tooMany, processing]);
    expect(JSON.parse(stdout)).toEqual({ state: 'completed', progress: 100, error: null });
    expect(await readFile(join(folder, 'holiday-small.mp4'), 'utf8')).toBe('the video');
  });

  it('end if the key is revoked', async () => {
    const unauthorized: Answer = [401, '{"error":{"code":"UNAUTHORIZED"}}'];
    const { stdout, stderr } = await poll([processing, unauthorized]);
    expect([stdout, stderr]).toEqual(['', expect.stringContaining('401')]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('save no error as the file', async () => {
    const ended = await poll([], [403, '<Error/>']).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 22, stderr: expect.stringContaining('403') });
    expect(await readdir(folder)).toEqual([]);
  });
});

it.skipIf(!hasTools)('the commands of docs/api.md that upload a file send its name and content', async () => {
  const folder = await aTemporaryFolder();
  await writeFile(join(folder, 'holiday.mov'), 'the source');
  const page = await readFile('docs/api.md', 'utf8');
  const [, commands = ''] = /^```sh\n(call\(\)[\s\S]*?)^```$/m.exec(page) ?? [];
  const server = await aWebServer(({ headers }, response) =>
    response.end(JSON.stringify({ uploadUrl: `http://${headers.host}/put`, inputUrl: 'upload://1/a.mov' })),
  );
  const env = { PATH: process.env.PATH, MEDIA_JOBS_URL: server.origin, MEDIA_JOBS_KEY: 'nte_key' };
  await promisify(execFile)('sh', ['-euc', commands], { cwd: folder, env });
  const [creation, upload] = server.requests;
  expect(JSON.parse(creation?.body ?? '')).toEqual({ filename: 'holiday.mov', sizeBytes: 10 });
  expect(upload?.body).toBe('the source');
});
