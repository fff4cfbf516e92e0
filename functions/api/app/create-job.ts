import type { createJobContract } from '../../../core/api/jobs.ts';
import type { Clock, JobTable, TranscodeQueue } from '../../../core/jobs/ports.ts';
import { create } from '../../../core/jobs/transitions.ts';
import { viewJob } from '../../../core/jobs/view.ts';
import { refuseBadUrl } from '../../../core/net/refuse-url.ts';
import type { UrlRules } from '../../../core/net/url-text.ts';
import type { RouteApp } from '../../runtime/http/route.ts';

export type CreateJobPorts = {
  jobs: Pick<JobTable, 'write'>;
  queue: TranscodeQueue;
  clock: Clock;
  newId: () => string;
  urlRules: { input: UrlRules; webhook: UrlRules };
  /** Told of a message that could not be sent; reconcile sends it. */
  onSendFailed: (ref: { jobId: string }, cause: unknown) => void;
};

/** Records a job and sends its message. The record is the promise: a message that was not sent is sent by reconcile. */
export function createJob(ports: CreateJobPorts): RouteApp<typeof createJobContract> {
  const { jobs, queue, clock, newId, urlRules, onSendFailed } = ports;
  return async ({ body, principal: { ownerId } }) => {
    refuseBadUrl(body.input.url, 'input.url', urlRules.input);
    if (body.webhookUrl !== undefined) refuseBadUrl(body.webhookUrl, 'webhookUrl', urlRules.webhook);

    const { job, guard } = create({ ownerId, jobId: newId(), request: body, now: clock.now() });
    const { written } = await jobs.write({ job, guard });
    if (!written) throw new Error(`The new id ${job.jobId} is taken already`);
    await queue.send(job).catch((cause) => onSendFailed(job, cause));
    return { status: 201, headers: { location: `/api/v1/jobs/${job.jobId}` }, body: viewJob(job, {}) };
  };
}
