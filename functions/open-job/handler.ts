import { serialize } from 'node:v8';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { sts } from '../../adapters/runtime/clients/sts.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { jobQueue } from '../../adapters/runtime/job-queue.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { signingProviders } from '../../adapters/runtime/signing-providers.ts';
import { assumeJobRole } from '../../adapters/sts/assume-role.ts';
import { newId, systemClock } from '../../adapters/system/clock.ts';
import { openJobRequestSchema } from '../../core/worker/open-job.ts';
import { openJob, openUploadsOf } from './app.ts';

const { TABLE_NAME, JOB_ROLE_ARN } = readEnv(z.object({ TABLE_NAME: z.string(), JOB_ROLE_ARN: z.string() }));

const ports = {
  jobs: jobTable(dynamo, TABLE_NAME),
  queue: jobQueue(),
  claims: {
    short: { current: { claims: 0, firstOwner: Math.random() } },
    long: { current: { claims: 0, firstOwner: Math.random() } },
    economy: { current: { claims: 0, firstOwner: Math.random() } },
    batch: { current: { claims: 0, firstOwner: Math.random() } },
  },
  clock: systemClock,
  newId,
  onClaimed: ({ ownerId, jobId }: { ownerId: string; jobId: string }) => logger.appendKeys({ ownerId, jobId }),
  onUnexpected: ({ jobId }: { jobId: string }, error: unknown) =>
    logger.error('Unexpected error while opening a job', { jobId, error }),
  findProvider: signingProviders(TABLE_NAME),
  assume: (job: Parameters<typeof assumeJobRole>[2]) => assumeJobRole(sts.here, JOB_ROLE_ARN, job),
};

export function handler(event: unknown, context: Context) {
  startInvocationLog(context);
  return logFailure(async () => {
    const request = openJobRequestSchema.parse(event);
    if ('uploads' in request) return (await openUploadsOf(ports, request)) ?? null;
    const { job, ...access } = (await openJob(ports, request)) ?? {};
    return job === undefined ? null : { job: serialize(job).toString('base64'), ...access };
  });
}
