import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pRetry from 'p-retry';
import { createClient } from '../../../client/client.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { isTerminalState } from '../../../core/jobs/states.ts';
import { aWebServer, type WebServer } from '../../builders/http/web-server.ts';
import { clipWith } from '../../builders/media/clips.ts';
import type { HostedStage } from './hosted-stage.ts';

const lookEveryMs = 2_000;

/** A customer with a server for inputs and webhooks, who retries every failed request. */
export type Customer = {
  /** Submits a job until it is accepted, under one idempotency key; returns its id. */
  submit(key: string): Promise<string>;
  /** Resolves with the job once it has ended. */
  ended(jobId: string): Promise<JobResource>;
  /** The terminal states in the webhooks so far, by `webhook-id`. */
  delivered(): Map<string, Set<string>>;
  close(): Promise<void>;
};

export async function aCustomer(stage: HostedStage): Promise<Customer> {
  const clip = await readFile(await clipWith());
  const server = await aWebServer(({ method }, response) => {
    if (method === 'POST') response.writeHead(204).end();
    else response.writeHead(200, { 'content-length': clip.length }).end(clip);
  });
  const client = () => createClient({ baseUrl: stage.baseUrl(), apiKey: stage.apiKey() });
  const body = {
    mode: 'recipe' as const,
    input: { url: `${server.origin}/clip.mp4` },
    output: { format: 'mp4' as const },
    recipe: { name: 'compress' as const, crf: 35 },
    webhookUrl: `${server.origin}/hook`,
  };
  return {
    submit: async (key) => {
      const headers = { 'idempotency-key': key };
      return (await insistently(() => client().createJob({ headers, body }))).jobId;
    },
    ended: async (jobId) => {
      for (;;) {
        const job = await insistently(() => client().getJob({ params: { id: jobId } }));
        if (isTerminalState(job.state)) return job;
        await wait(lookEveryMs);
      }
    },
    delivered: () => eventsBy(server),
    close: server.close,
  };
}

/** Repeats a request until it succeeds, at growing intervals: the stage is killed now and then, or overloaded. */
export async function insistently<T>(ask: () => Promise<T>): Promise<T> {
  return pRetry(ask, { retries: Number.POSITIVE_INFINITY, maxTimeout: 60_000, randomize: true });
}

function eventsBy({ requests }: WebServer): Map<string, Set<string>> {
  const delivered = new Map<string, Set<string>>();
  for (const { method, headers, body } of requests) {
    if (method !== 'POST') continue;
    const id = String(headers['webhook-id']);
    const { data, timestamp } = JSON.parse(body);
    delivered.set(id, (delivered.get(id) ?? new Set()).add(`${data.jobId} ${data.state} ${timestamp}`));
  }
  return delivered;
}
