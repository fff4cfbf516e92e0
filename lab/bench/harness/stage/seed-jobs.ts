import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { newJobId } from '../../../../adapters/system/clock.ts';
import { settleDelivery } from '../../../../core/jobs/delivery-transitions.ts';
import type { TerminalJob } from '../../../../core/jobs/record.ts';
import { cancel } from '../../../../core/jobs/termination.ts';
import { create } from '../../../../core/jobs/transitions.ts';
import { jobRequest } from '../api/job-request.ts';
import { putJobs } from './put-jobs.ts';

const minuteMs = 60_000;

/**
 * Writes cancelled jobs of an owner to the table, one a minute up to `now`. They have no files: a full page would
 * otherwise sign twice as many URLs as the page of an owner with ten jobs.
 */
export function seedJobs(
  client: DynamoDBClient,
  { tableName, ownerId, count, now }: { tableName: string; ownerId: string; count: number; now: Date },
): Promise<void> {
  const jobOf = (index: number) => aCancelledJob(ownerId, new Date(now.getTime() - index * minuteMs));
  return putJobs(client, { tableName, count, jobOf });
}

/** A record as the service writes it, without a `dueAt`: reconcile would otherwise process thousands. */
function aCancelledJob(ownerId: string, now: Date): TerminalJob {
  const accepted = create({ ownerId, jobId: newJobId(now), request: jobRequest, urlSecret: '', now });
  const { job } = cancel(accepted.job, { now, webhookTarget: null, deliveryId: 'none' });
  return settleDelivery(job, 'none', 'none').job;
}
