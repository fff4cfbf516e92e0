// @module-tag sources
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { aWebServer, type ReceivedRequest, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob, waitForJobEnd } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;
let clip: Buffer;
let host: WebServer;

type Answer = (response: ServerResponse, request: ReceivedRequest, before: readonly unknown[]) => unknown;

const answers: Record<string, Answer> = {
  '/gate': (response) => response.writeHead(303, { location: latin1('ticket?for=é'), 'set-cookie': 'ticket=1' }).end(),
  '/ticket?for=%c3%a9': (response, { headers: { cookie } }) =>
    cookie === 'ticket=1'
      ? response.writeHead(203, { 'content-disposition': `inline; filename="${latin1('Ünïcode 日本.mov')}"` }).end(clip)
      : response.writeHead(403).end(),
  '/%D0%9E%D1%82%D0%BF%D1%83%D1%81%D0%BA%202024.mov': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(clip)),
  '/later': (response, _, before) =>
    before.length === 0 ? response.writeHead(503, { 'retry-after': '3' }).end() : response.end(clip),
  '/page': (response) => response.setHeader('content-type', 'text/html').end('<!doctype html><title>Sign in</title>'),
  '/expired': (response) =>
    response.writeHead(403).end('<Error><Code>ExpiredToken</Code><Token-0>canary</Token-0></Error>'),
};

const latin1 = (text: string) => Buffer.from(text).toString('latin1');

beforeAll(async () => {
  [running, clip] = await Promise.all([aRunningStage(), clipWith().then((path) => readFile(path))]);
  host = await aWebServer((request, response, before) => {
    const answer = answers[request.path];
    if (answer === undefined) response.writeHead(404).end();
    else answer(response, request, before);
  });
});

async function jobOf(path: string) {
  const { jobId } = await submitJob(running.api, { input: { url: host.origin + path } });
  return waitForJobEnd(running.api, jobId);
}

describe.concurrent('a source behind', () => {
  it('a redirect that sets a cookie is read, and its stated name is that of the result', async () => {
    const job = await jobOf('/gate');
    expect(job).toMatchObject({ state: 'completed', output_files: { output: { filename: 'Ünïcode 日本.mp4' } } });
    const { headers } = await fetch(job.output?.signedUrl ?? '');
    expect(headers.get('content-disposition')).toBe(
      'attachment; filename="Unicode __.mp4"; filename*=UTF-8\'\'%C3%9Cn%C3%AFcode%20%E6%97%A5%E6%9C%AC.mp4',
    );
  });

  it('an unasked compression is read, under the name in its URL', async () => {
    expect(await jobOf('/%D0%9E%D1%82%D0%BF%D1%83%D1%81%D0%BA%202024.mov')).toMatchObject({
      state: 'completed',
      output_files: { output: { filename: 'Отпуск 2024.mp4' } },
    });
  });

  it('a host that asks to come back later is read then, by the next attempt', async () => {
    const job = await jobOf('/later');
    expect(job).toMatchObject({ state: 'completed', attempt: 2 });
    const [first, second] = host.requests.filter(({ path }) => path === '/later');
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(3_000);
  });

  it('a web page or an error of a store is rejected by its name', async () => {
    const page = await jobOf('/page');
    expect(page).toMatchObject({ state: 'rejected', error: { code: 'INPUT_NOT_MEDIA' } });
    expect(page.error?.message).toMatch(/^127\.0\.0\.1:\d+ sent a web page \(text\/html\), not a file/);
    const expired = await jobOf('/expired');
    expect(expired.error?.message).toMatch(/^127\.0\.0\.1:\d+ answered 403 Forbidden \(ExpiredToken\)$/);
  });
});
