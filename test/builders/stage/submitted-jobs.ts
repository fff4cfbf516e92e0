import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Stage } from '@media-jobs/local-stage';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import type { JobResource } from '../../../core/api/job-resource.ts';
import { withStageTable } from '../../../lib/local/stage-table.ts';
import { localOwnerId } from '../../../lib/settings/local-owner.ts';
import type { Api } from './running-stage.ts';

/** Polling faster would take CPU time from the job. */
const pauseMs = 50;
const patienceMs = 120_000;

// These functions do not use `expect` or `vi`, which lab/screenshots.ts does not have.

/**
 * Submits a job. By default it is `compress`, and writes MP4.
 *
 * @throws Error with the response unless the job was accepted
 */
export function submitJob(api: Api, request: object): Promise<JobResource> {
  const work = 'steps' in request ? { mode: 'pipeline' } : { mode: 'recipe', recipe: { name: 'compress', crf: 28 } };
  const body = { ...work, output: { format: 'mp4' }, ...request };
  return answered<JobResource>(201, api, 'POST', '/api/v1/jobs', body);
}

/** @throws Error with the response if the job cannot be read */
export function readJob(api: Api, jobId: string): Promise<JobResource> {
  return answered<JobResource>(200, api, 'GET', `/api/v1/jobs/${jobId}`);
}

/**
 * Waits until a job has ended; calls `onRead` with every read on the way.
 *
 * @throws Error with its last stage if it has not ended after two minutes
 */
export async function waitForJobEnd(
  api: Api,
  jobId: string,
  onRead: (job: JobResource) => void = () => {},
): Promise<JobResource> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const job = await readJob(api, jobId);
    onRead(job);
    if (job.completedAt !== null) return job;
    if (performance.now() > deadline)
      throw new Error(`Job ${jobId} has not ended: stage ${job.stage}, ${job.progress} %`);
    await setTimeout(pauseMs);
  }
}

/** Uploads a file in one request; returns its `upload://` URL. */
export async function uploadFile(api: Api, path: string): Promise<string> {
  const file = await readFile(path);
  const upload = { sizeBytes: file.length, filename: basename(path) };
  type Upload = { inputUrl: string; uploadUrl: string };
  const { inputUrl, uploadUrl } = await answered<Upload>(201, api, 'POST', '/api/v1/uploads', upload);
  const { ok, status } = await fetch(uploadUrl, { method: 'PUT', body: new Uint8Array(file) });
  if (!ok) throw new Error(`The upload of ${path} was answered ${status}`);
  return inputUrl;
}

async function answered<Body>(expected: number, api: Api, ...request: Parameters<Api>): Promise<Body> {
  const { status, body } = await api(...request);
  if (status === expected) return body as Body;
  const [method, path] = request;
  throw new Error(`${method} ${path} was answered ${status}, not ${expected}: ${JSON.stringify(body)}`);
}

/** Lets the lease of a processing job end now. */
export async function endLease(stage: Stage, jobId: string): Promise<void> {
  await withStageTable(stage, async (client, tableName) => {
    const jobs = jobTable(client, tableName);
    const job = await jobs.get({ ownerId: localOwnerId, jobId });
    if (job?.state !== 'processing') throw new Error(`Job ${jobId} is not processing`);
    const dueAt = new Date(Date.now() - 1_000).toISOString();
    await jobs.write({ job: { ...job, dueAt }, guard: { leaseId: job.leaseId } });
  });
}
