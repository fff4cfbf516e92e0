// @module-tag nightly
// @module-tag storage
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasCommands } from '@media-jobs/testing/has-commands';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import express from 'express';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { patience } from '../builders/stage/patience.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

const run = promisify(execFile);

let running: RunningStage;
let customer: WebServer;
let copy: JobResource;
beforeAll(async () => {
  running = await aRunningStage();
  const size = 'testsrc2=size=64x36:rate=10:duration=10';
  const video = await readFile(await generatedFile('small.mp4', ['-f', 'lavfi', '-i', size]));
  customer = await aWebServer((_, response) => response.end(video));
  copy = await submit({ output: { format: 'mp4' }, recipe: { name: 'remux' } });
});

async function submit(more: object): Promise<JobResource> {
  const input = { url: `${customer.origin}/small.mp4` };
  const { jobId } = await submitJob(running.api, { input, ...more });
  const job = await waitForJobEnd(running.api, jobId);
  expect(job).toMatchObject({ state: 'completed' });
  return job;
}

/** The URL of the copy, and its bytes as the storage has them. */
async function download() {
  const url = copy.output?.signedUrl ?? '';
  return { url, bytes: Buffer.from(await (await fetch(url)).arrayBuffer()) };
}

describe('a download by the URL of a file', () => {
  it.runIf(hasCommands('curl')).each([
    ['the whole file', []],
    ['the rest of a file', ['--continue-at', '-']],
  ])('by curl -L has %s', async (_, options) => {
    const { url, bytes } = await download();
    const path = join(await aTemporaryFolder(), 'file.mp4');
    if (options.length > 0) await run('curl', ['-sSfL', '--range', '0-99', '-o', path, url]);
    await run('curl', ['-sSfL', ...options, '-o', path, url]);
    expect((await readFile(path)).equals(bytes)).toBe(true);
  });

  it.runIf(hasCommands('wget'))('by wget has the file, under the name of the source', async () => {
    const { url, bytes } = await download();
    const folder = await aTemporaryFolder();
    await run('wget', ['-q', '--content-disposition', '-P', folder, url]);
    expect((await readFile(join(folder, 'small.mp4'))).equals(bytes)).toBe(true);
  });

  // React Native's players, AVPlayer and many download managers ask for the size before they ask for ranges.
  it('begins with a HEAD, and goes on with ranges', async () => {
    const { url, bytes } = await download();
    const head = await fetch(url, { method: 'HEAD', redirect: 'error' });
    expect([head.status, head.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    const size = Number(head.headers.get('content-length'));
    expect(size).toBe(bytes.length);
    const parts: Buffer[] = [];
    for (let at = 0; at < size; at += 1_000) {
      const last = Math.min(at + 999, size - 1);
      const part = await fetch(url, { headers: { range: `bytes=${at}-${last}` } });
      expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes ${at}-${last}/${size}`]);
      expect(part.headers.get('content-type')).toBe(head.headers.get('content-type'));
      parts.push(Buffer.from(await part.arrayBuffer()));
    }
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
  });

  it('is conditional: the version that a client has is not sent again, and no range of another one', async () => {
    const { url, bytes } = await download();
    const etag = (await fetch(url)).headers.get('etag') ?? '';
    const [known, same, other] = await Promise.all([
      fetch(url, { headers: { 'if-none-match': etag } }),
      fetch(url, { headers: { range: 'bytes=5-9', 'if-range': etag } }),
      fetch(url, { headers: { range: 'bytes=5-9', 'if-range': '"other"' } }),
    ]);
    expect([known.status, same.status, other.status]).toEqual([304, 206, 200]);
    expect((await other.arrayBuffer()).byteLength).toBe(bytes.length);
  });
});

it("the event of a job of 100 files is accepted by Express's JSON parser with its default limit", async () => {
  const events: { data: JobResource }[] = [];
  const app = express();
  app.post('/hook', express.json(), ({ body }, response) => {
    events.push(body);
    response.end();
  });
  const server = app.listen(0, '127.0.0.1');
  try {
    await vi.waitFor(() => expect(server.listening).toBe(true));
    const webhookUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const thumbnails = { name: 'thumbnails', every: 0.1 };
    const { jobId } = await submit({ output: { format: 'jpg' }, recipe: thumbnails, webhookUrl });
    await vi.waitFor(async () => {
      const { body } = await running.api('GET', `/api/v1/jobs/${jobId}/deliveries`);
      expect(body).toMatchObject({ deliveries: [{ state: 'delivered', status: 200 }] });
    }, patience);
    expect(Object.keys(events[0]?.data.outputs ?? {})).toHaveLength(100);
  } finally {
    server.close();
  }
});
