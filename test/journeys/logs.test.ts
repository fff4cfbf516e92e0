import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { JobResource } from '../../core/api/job-resource.ts';
import { aWebServer, type WebServer } from '../builders/http/web-server.ts';
import { aRunningStage, type RunningStage } from '../builders/stage/running-stage.ts';

let running: RunningStage;
let customer: WebServer;

beforeAll(async () => {
  running = await aRunningStage();
  customer = await aWebServer(({ path }, response) => response.writeHead(path === '/hook' ? 200 : 404).end());
}, 120_000);

afterAll(async () => {
  await customer?.close();
  await running?.stop();
});

type Line = { by: string; requestId?: string; jobId?: string; message?: string };

/** What the functions have logged so far, the lines that are no JSON too. */
function lines(): Line[] {
  return running.log.flatMap((line) => {
    const [, by = '', text = ''] = /^function media-jobs-local-(\S+) (.*)$/.exec(line) ?? [];
    if (by === '') return [];
    return [{ by, ...(text.startsWith('{') ? JSON.parse(text) : { message: text }) }];
  });
}

async function aRejectedJob(): Promise<string> {
  const { body } = await running.api('POST', '/api/v1/jobs', {
    mode: 'recipe',
    input: { url: `${customer.origin}/nothing.mp4` },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 30 },
    webhookUrl: `${customer.origin}/hook`,
  });
  return (body as JobResource).jobId;
}

it('every line about a job, from its request to its webhook, carries its id and an invocation', async () => {
  const jobId = await aRejectedJob();
  const logged = await vi.waitFor(
    () => {
      const all = lines();
      expect(all.map(({ message }) => message)).toContain('Delivery attempted');
      return all;
    },
    { timeout: 60_000 },
  );

  const by = new Set(logged.filter((line) => line.jobId === jobId).map((line) => line.by));
  expect([...by].sort()).toEqual(['create-job', 'deliver-webhook', 'transcode']);
  for (const line of logged.filter((line) => by.has(line.by))) {
    expect(line).toMatchObject({ jobId, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  }
}, 120_000);
