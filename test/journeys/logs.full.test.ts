// @module-tag jobs
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { beforeAll, expect, it, vi } from 'vitest';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';
import { submitJob } from '../builders/stage/submitted-jobs.ts';

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  running = await aRunningStage();
  customer = await aWebServer(({ path }, response) => response.writeHead(path === '/hook' ? 200 : 404).end());
});

type Line = { by: string; requestId?: string; jobId?: string; message?: string; error?: { code: string } };

/** What the functions have logged so far, the lines that are no JSON too. */
function lines(): Line[] {
  return running.log.flatMap((line) => {
    const [, by = '', text = ''] = /^function media-jobs-local-(\S+) (.*)$/.exec(line) ?? [];
    if (by === '') return [];
    return [{ by, ...(text.startsWith('{') ? JSON.parse(text) : { message: text }) }];
  });
}

it('every line about a job, from its request to its webhook, carries its id and an invocation', async () => {
  const [input, webhookUrl] = [{ url: `${customer.origin}/nothing.mp4` }, `${customer.origin}/hook`];
  const { jobId } = await submitJob(running.api, { input, webhookUrl });
  const logged = await vi.waitFor(
    () => {
      const all = lines();
      expect(all.map(({ message }) => message)).toContain('Delivery attempted');
      return all;
    },
    { timeout: 60_000 },
  );

  const by = new Set(logged.filter((line) => line.jobId === jobId).map((line) => line.by));
  expect([...by].sort()).toEqual(['deliver-webhook', 'submission', 'transcode']);
  for (const line of logged.filter((line) => by.has(line.by))) {
    expect(line).toMatchObject({ jobId, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  }
  expect(logged.filter(({ error }) => error?.code === 'INPUT_UNREACHABLE')).toMatchObject([{ jobId }]);
});
