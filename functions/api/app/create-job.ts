import type { createJobContract } from '../../../core/api/create-job.ts';
import { requestUrls } from '../../../core/api/request-urls.ts';
import { type Reservations, refuseOtherBody, reservationFor } from '../../../core/jobs/idempotency.ts';
import type { Clock, JobTable, TranscodeQueue } from '../../../core/jobs/ports.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { refuseBadUrl } from '../../../core/net/refuse-url.ts';
import type { UrlRules } from '../../../core/net/url-text.ts';
import { refuseBadInput } from '../../../core/uploads/refuse-bad-input.ts';
import type { RouteApp } from '../../runtime/http/route.ts';
import { locationOf } from './location.ts';

export type CreateJobPorts = {
  jobs: Pick<JobTable, 'write'>;
  reservations: Reservations;
  queue: TranscodeQueue;
  clock: Pick<Clock, 'now'>;
  newJobId: (createdAt: Date) => string;
  urlRules: { input: UrlRules; webhook: UrlRules };
};

type Identity = { jobId: string; createdAt: Date; replayed: boolean };

/**
 * Records a job and sends its message. With an idempotency key, the key is reserved for the job's id first: whatever of
 * the rest a crash or a failing service leaves undone, the client's next try under that key does.
 */
export function createJob(ports: CreateJobPorts): RouteApp<typeof createJobContract> {
  const { jobs, queue, urlRules } = ports;
  return async ({ body, sent, headers, principal: { ownerId } }) => {
    for (const { url, path } of requestUrls(body)) refuseBadInput(url, path, urlRules.input);
    if (body.webhookUrl !== undefined) refuseBadUrl(body.webhookUrl, 'webhookUrl', urlRules.webhook);

    const key = headers['idempotency-key'];
    const { jobId, createdAt, replayed } = await identify(ports, { ownerId, key, sent });
    const { job, guard } = create({ ownerId, jobId, request: body, now: createdAt });
    const result = await jobs.write({ job, guard });
    if (!result.written && key === undefined) throw new Error(`The new id ${jobId} is taken already`);
    // A replay finds the job there; while it is still queued, its message may never have been sent.
    if (result.written || result.current?.state === 'queued') await queue.send(job);
    return {
      status: 201,
      headers: { location: locationOf(job), ...(replayed ? { 'idempotent-replayed': 'true' } : {}) },
      body: viewJob(job, {}),
    };
  };
}

async function identify(
  { reservations, clock, newJobId }: CreateJobPorts,
  { ownerId, key, sent }: { ownerId: string; key: string | undefined; sent: unknown },
): Promise<Identity> {
  const now = clock.now();
  const jobId = newJobId(now);
  if (key === undefined) return { jobId, createdAt: now, replayed: false };
  const wanted = reservationFor({ ownerId, key, sent, jobId, now });
  const held = await reservations.reserve(wanted, now);
  refuseOtherBody(held, wanted);
  return { jobId: held.jobId, createdAt: new Date(held.createdAt), replayed: held.jobId !== jobId };
}
