// @module-tag jobs
import { readFile } from 'node:fs/promises';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { endLease, readJob, submitJob } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;
let clip: Buffer;

beforeAll(async () => {
  [running, clip] = await Promise.all([aRunningStage(), clipWith().then((path) => readFile(path))]);
});

describe('a job', () => {
  it('is compressed, reported by webhook, and downloaded by its signed URL', async () => {
    const customer = await aCustomer(clip);
    const { jobId } = await submit({ input: `${customer.origin}/clip.mp4`, webhook: `${customer.origin}/hook` });
    const [webhook] = await customer.seen(1, '/hook');
    const payload = JSON.parse(webhook?.body ?? '');
    expect(payload).toMatchObject({ data: { jobId, state: 'completed', progress: 100 } });

    const job = await read(jobId);
    expect(job).toMatchObject({ state: 'completed', stage: 'done', attempt: 1 });
    expect(payload.timestamp).toBe(Date.parse(job.completedAt ?? ''));
    expect(job.output_files?.output).toMatchObject({ codec: 'h264', width: 320, height: 180, file_format: 'mp4' });

    // The first is signed by the role of a route, the second by that of deliver-webhook.
    for (const url of [job.output?.signedUrl, payload.data.output.signedUrl]) {
      const download = await fetch(url ?? '');
      const bytes = (await download.arrayBuffer()).byteLength;
      expect(bytes / 1_000_000).toBe(job.output_files?.output?.size_mbytes);
      expect(download.headers.get('content-disposition')).toContain('.mp4');
    }
  });

  it('is rejected if its input is missing, and the webhook reports it', async () => {
    const customer = await aCustomer(undefined);
    const { jobId } = await submit({ input: `${customer.origin}/clip.mp4`, webhook: `${customer.origin}/hook` });
    const [webhook] = await customer.seen(1, '/hook');
    const { data } = JSON.parse(webhook?.body ?? '');
    expect(data).toMatchObject({
      jobId,
      state: 'rejected',
      error: { code: 'INPUT_UNREACHABLE', stage: 'downloading' },
    });
    expect(data).not.toHaveProperty('output');
    expect(await read(jobId)).toMatchObject({ state: 'rejected', error: data.error });
  });

  it('completes although the stage is killed while it runs', async () => {
    const customer = await aCustomer(clip, { stuckDownloads: 1 });
    const { jobId } = await submit({ input: `${customer.origin}/clip.mp4`, webhook: `${customer.origin}/hook` });
    await customer.seen(1, '/clip.mp4');
    await running.restart();
    expect(await read(jobId)).toMatchObject({ state: 'processing', attempt: 1 });

    await endLease(running.stage, jobId);
    expect(await running.stage.invoke('media-jobs-local-reconcile', {})).toMatchObject({ ok: true });
    await customer.seen(1, '/hook');
    expect(await read(jobId)).toMatchObject({ state: 'completed', attempt: 2 });
  });
});

function submit({ input, webhook }: { input: string; webhook: string }): Promise<JobResource> {
  return submitJob(running.api, { input: { url: input }, webhookUrl: webhook });
}

const read = (jobId: string) => readJob(running.api, jobId);

/** A customer's server: `/clip.mp4` is the input (404 where there is none), `/hook` takes webhooks. */
function aCustomer(input: Buffer | undefined, { stuckDownloads = 0 } = {}): Promise<WebServer> {
  return aWebServer(({ path }, response, before) => {
    if (path === '/hook') {
      response.writeHead(200).end();
    } else if (input === undefined) {
      response.writeHead(404).end();
    } else {
      response.writeHead(200, { 'content-length': input.byteLength });
      if (before.length < stuckDownloads) response.write(input.subarray(0, 1000));
      else response.end(input);
    }
  });
}
