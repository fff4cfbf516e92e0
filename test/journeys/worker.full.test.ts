// @module-tag jobs
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { patience } from '../builders/stage/patience.ts';
import { storedKeys } from '../builders/stage/stored-keys.ts';
import { aWorkerStage, type WorkerStage } from './worker-stage.ts';

const stallSeconds = 2;
let stage: WorkerStage;

beforeAll(async () => {
  stage = await aWorkerStage({ stallSeconds });
});

it('a completed job keeps its files where no lifecycle rule removes them, if its request says so', async () => {
  const { jobId, filesExpireAt, output } = await stage.ended(await stage.submit('/short.mp4', { keepDays: null }));
  expect([filesExpireAt, await storedKeys(stage.running, jobId)]).toEqual([
    null,
    [`kept/${jobId}/1/output/output.mp4`],
  ]);
  expect((await fetch(output?.signedUrl ?? '')).status).toBe(200);
});

describe('the worker', () => {
  it('stores the exact arguments, the version and the log of ffmpeg', async () => {
    const job = await stage.ended(await stage.submit('/short.mp4'));
    const { status, body } = await stage.running.api('GET', `/api/v1/jobs/${job.jobId}/log`);
    expect([job.state, status]).toEqual(['completed', 200]);
    const { attempts } = body as { attempts: { commands: string[][] }[] };
    expect(attempts).toEqual([
      {
        attempt: 1,
        serviceVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        isolation: expect.arrayContaining(['no_new_privs']),
        inputs: [{ name: 'input-1', bytes: expect.any(Number), sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
        ffmpegVersion: expect.stringMatching(/^ffmpeg version \S+/),
        commands: [expect.arrayContaining(['-crf', '28', 'libx264', '-protocol_whitelist', 'file'])],
        log: expect.stringContaining('libx264'),
      },
    ]);
    expect(job.output_files?.output?.filename).toBe('short.mp4');
    expect(await storedKeys(stage.running, job.jobId)).toEqual([`jobs/${job.jobId}/1/output/output.mp4`]);
  });

  it('removes the files of a killed worker from its disk', async () => {
    const sandboxes = join(stage.running.dataDirectory, 'sandboxes');
    const [sandbox = ''] = (await readdir(sandboxes)).filter((name) => name.includes('transcode'));
    await mkdir(join(sandboxes, sandbox, 'job-killed'));
    await stage.ended(await stage.submit('/short.mp4'));
    expect(await readdir(join(sandboxes, sandbox))).not.toContain('job-killed');
  });

  it('stops ffmpeg when its job is cancelled, and leaves no file behind', async () => {
    const jobId = await stage.encoding();
    await stage.running.api('POST', `/api/v1/jobs/${jobId}/cancel`);
    await vi.waitFor(() => expect(stage.encoders()).toEqual([]), patience);
    expect(await stage.read(jobId)).toMatchObject({ state: 'cancelled' });
    expect(await storedKeys(stage.running, jobId)).toEqual([]);
  });

  it('fails a job whose ffmpeg makes no progress', async () => {
    const jobId = await stage.encoding();
    for (const id of stage.encoders()) process.kill(id, 'SIGSTOP');
    const job = await stage.ended(jobId);
    expect(job).toMatchObject({
      state: 'failed',
      error: {
        code: 'TRANSCODE_ERROR',
        message: `The encoding was stopped because it made no progress for ${stallSeconds} s`,
        stage: 'transcoding',
        retryable: true,
      },
    });
    expect(job.progress).toBeLessThan(100);
    expect([stage.encoders(), await storedKeys(stage.running, jobId)]).toEqual([[], []]);
  });
});
