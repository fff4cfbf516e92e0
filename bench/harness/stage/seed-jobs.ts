import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TerminalJob } from '../../../core/jobs/record.ts';
import { settleDelivery } from '../../../core/jobs/terminal-transitions.ts';
import { cancel, create } from '../../../core/jobs/transitions.ts';
import { newJobId } from '../../../functions/runtime/random.ts';
import { jobRequest } from '../api/job-request.ts';
import { putJobs } from './put-jobs.ts';

const minuteMs = 60_000;

/**
 * Puts so many cancelled jobs of an owner into the table, one a minute up to `now`. They have no files: signing URLs for
 * twice as many is what a full page would otherwise be slower by than the half one of an owner with ten jobs.
 */
export function seedJobs(
  client: DynamoDBClient,
  { tableName, ownerId, count, now }: { tableName: string; ownerId: string; count: number; now: Date },
): Promise<void> {
  const jobOf = (index: number) => aCancelledJob(ownerId, new Date(now.getTime() - index * minuteMs));
  return putJobs(client, { tableName, count, jobOf });
}

/** A record of the service's own making. Nothing is due of it, or reconcile would be busy with thousands. */
function aCancelledJob(ownerId: string, now: Date): TerminalJob {
  const accepted = create({ ownerId, jobId: newJobId(now), request: jobRequest, now });
  const { job } = cancel(accepted.job, { now, webhookTarget: null, deliveryId: 'none' });
  return settleDelivery(job, 'none', 'none').job;
}
