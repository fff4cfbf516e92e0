import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationRequest } from '@media-jobs/client';
import { createClient, uploadFile } from '@media-jobs/client';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { clipWith } from '@media-jobs/video/testing';
import pRetry from 'p-retry';
import type { JobResource } from '../../core/api/job-resource.ts';
import { isTerminalState } from '../../core/jobs/states.ts';
import type { HostedStage } from './hosted-stage.ts';

const lookEveryMs = 2_000;

export type JobBody = OperationRequest<'createJob'>['body'];

/** A customer with a server for inputs and webhooks, who retries every failed request. */
export type Customer = {
  /** The origin of the customer's server. */
  origin: string;
  /** Uploads the clip; returns its `upload://` URL. */
  upload(): Promise<string>;
  /** Submits a job until it is accepted, under one idempotency key; returns its id. `onFailure`: called at every failure. */
  submit(key: string, body?: JobBody, onFailure?: () => void): Promise<string>;
  /** Resolves with the job once it has ended. */
  ended(jobId: string): Promise<JobResource>;
  /** The terminal states in the webhooks so far, by `webhook-id`. */
  delivered(): Map<string, Set<string>>;
  close(): Promise<void>;
};

/** @param path the source that the customer's server sends, by default a clip of 2 s */
export async function aCustomer(stage: HostedStage, path?: string): Promise<Customer> {
  const clip = await readFile(path ?? (await clipWith()));
  const server = await aWebServer(({ method }, response) => {
    if (method === 'POST') response.writeHead(204).end();
    else response.writeHead(200, { 'content-length': clip.length }).end(clip);
  });
  const client = () => createClient({ baseUrl: stage.baseUrl(), apiKey: stage.apiKey() });
  const usual: JobBody = {
    mode: 'recipe',
    input: { url: `${server.origin}/clip.mp4` },
    output: { format: 'mp4' },
    recipe: { name: 'compress', crf: 35 },
    webhookUrl: `${server.origin}/hook`,
  };
  return {
    origin: server.origin,
    upload: async () => {
      const putRange = async ({ url }: { url: string }) => {
        const { ok, status } = await fetch(url, { method: 'PUT', body: new Uint8Array(clip) });
        if (!ok) throw new Error(`The upload was answered ${status}`);
        return '';
      };
      const source = { name: 'clip.mp4', sizeBytes: clip.length };
      const { signal } = new AbortController();
      return insistently(() =>
        uploadFile({
          client: client(),
          source,
          putRange,
          signal,
          sleep: async (ms) => void (await wait(ms)),
          onProgress: () => undefined,
        }),
      );
    },
    submit: async (key, body = usual, onFailure = () => undefined) => {
      const request = { headers: { 'idempotency-key': key }, body };
      return (await insistently(() => client().createJob(request), onFailure)).jobId;
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
export async function insistently<T>(ask: () => Promise<T>, onFailedAttempt: () => void = () => undefined): Promise<T> {
  const retries = Number.POSITIVE_INFINITY;
  return pRetry(ask, { retries, maxTimeout: 60_000, randomize: true, onFailedAttempt });
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
