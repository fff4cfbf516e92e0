import { minJobIdAt } from '../../../core/jobs/job-id.ts';
import type { JobIn } from '../../../core/jobs/record.ts';
import type { JobRequestRecord } from '../../../core/jobs/request-record.ts';
import { claim, create } from '../../../core/jobs/transitions.ts';

export const start = new Date('2026-03-01T12:00:00.000Z');

/** The time so many milliseconds after `start`, when the jobs of these builders were created. */
export function later(milliseconds: number): Date {
  return new Date(start.getTime() + milliseconds);
}

export const aRequest: JobRequestRecord = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};

/** Signs the URLs of the files of these jobs. */
export const urlSecret = 'a secret of the job';

/** The id of the n-th job created at a time; ids sort by creation time. */
export function aJobId(n = 1, createdAt: Date = start): string {
  return minJobIdAt(createdAt).slice(0, -12) + n.toString(16).padStart(12, '0');
}

type Choice = { ownerId?: string; jobId?: string; request?: JobRequestRecord; createdAt?: Date };

export function aQueuedJob(choice: Choice = {}): JobIn<'queued'> {
  const { ownerId = 'owner-1', createdAt = start, request = aRequest } = choice;
  const { jobId = aJobId(1, createdAt) } = choice;
  return create({ ownerId, jobId, request, urlSecret, now: createdAt }).job;
}

/** A job that `lease-1` claimed a second after its creation. */
export function aProcessingJob(choice: Choice & { leaseId?: string } = {}): JobIn<'processing'> {
  const queued = aQueuedJob(choice);
  const claimedAt = new Date(Date.parse(queued.createdAt) + 1_000);
  return claim(queued, choice.leaseId ?? 'lease-1', claimedAt).job;
}
