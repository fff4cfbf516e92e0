import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { batchTable } from '../../adapters/dynamodb/batch-table.ts';
import { deliveryJournal, endpointDeliveries } from '../../adapters/dynamodb/delivery-journal.ts';
import { erasures } from '../../adapters/dynamodb/erasures.ts';
import { jobLogs } from '../../adapters/dynamodb/job-logs.ts';
import { keyTable } from '../../adapters/dynamodb/key-table.ts';
import { metadataIndex } from '../../adapters/dynamodb/metadata-index.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../adapters/dynamodb/usage-counters.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { s3Client } from '../../adapters/runtime/clients/s3.ts';
import { stepFunctions } from '../../adapters/runtime/clients/sfn.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { jobStateMachines, runningJobDeps } from '../../adapters/runtime/job-queue.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { metricsToLog } from '../../adapters/runtime/metrics.ts';
import { objectStores } from '../../adapters/runtime/object-stores.ts';
import { ownClients } from '../../adapters/runtime/provider-clients.ts';
import { mediaFiles } from '../../adapters/s3/media-files.ts';
import { workFiles } from '../../adapters/s3/work-files.ts';
import { namedExecutions, poolStateMachine } from '../../adapters/stepfunctions/state-machines.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { resumeBatches } from '../../core/batches/batch.ts';
import { reconcile } from './app.ts';
import { eraseOwners } from './erase-owners.ts';
import { oldestWaiting } from './oldest-waiting.ts';
import { startPool } from './start-pool.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    DELIVERY_STATE_MACHINE_ARN: z.string(),
    BATCH_STATE_MACHINE_ARN: z.string(),
    MEDIA_BUCKET: z.string(),
    MAX_QUEUED_HOURS: z.coerce.number().min(1),
    AWS_ENDPOINT_URL_S3: z.url().optional(),
    POOL_STATE_MACHINE_ARN: z.string().optional(),
    POOL_MAX_TASKS: z.coerce.number().int().min(1).optional(),
  }),
);

const s3 = s3Client(env.AWS_ENDPOINT_URL_S3);

const runningJobs = runningJobDeps();

const measureOldestWaiting = oldestWaiting(runningJobs);

const files = { ...mediaFiles(s3, env.MEDIA_BUCKET), ...workFiles(s3, env.MEDIA_BUCKET) };

const run = reconcile({
  ...runningJobs,
  ...jobStateMachines(),
  retries: namedExecutions(stepFunctions, env.DELIVERY_STATE_MACHINE_ARN),
  journal: deliveryJournal(dynamo, env.TABLE_NAME),
  endpointDeliveries: endpointDeliveries(dynamo, env.TABLE_NAME),
  logs: jobLogs(dynamo, env.TABLE_NAME),
  metadataIndex: metadataIndex(dynamo, env.TABLE_NAME),
  usage: usageCounters(dynamo, env.TABLE_NAME),
  spending: spendingCounters(dynamo, env.TABLE_NAME),
  files,
  openObjectStore: objectStores(env.TABLE_NAME, ownClients()),
  maxQueueMs: env.MAX_QUEUED_HOURS * 3_600_000,
  ownerLimit: { jobs: 50, ms: 5_000 },
  // About 20 ms per job, with all shards at the same time: a few seconds. The rest of the run is for unmetered jobs.
  maxJobsPerShard: 250,
  onStep: ({ ownerId, jobId }, step) => logger.info('Reconciled', { ownerId, jobId, step }),
  onFailure: ({ ownerId, jobId }, cause) =>
    logger.error('The job could not be reconciled', { ownerId, jobId, error: cause }),
  onQueryFailure: ({ kind, shard }, cause) =>
    logger.error('The due jobs of a shard could not be listed', { kind, shard, error: cause }),
});

/** Reserved before Lambda's time-out, to finish the steps that have begun. */
const reserveMs = 15_000;

const erase = eraseOwners({
  ...runningJobs,
  files,
  maxRunningJobs: runningJobs.queue.maxRunningJobs,
  erasures: erasures(dynamo, env.TABLE_NAME),
  keys: keyTable(dynamo, env.TABLE_NAME),
  onFailure: (erasure, cause) => logger.error('An owner could not be erased', { ...erasure, error: cause }),
});

/** Kept of each run for erasures, however many jobs are due. */
const erasureMs = 5_000;

async function startPoolTasks(): Promise<number> {
  const { POOL_STATE_MACHINE_ARN: arn, POOL_MAX_TASKS: maxTasks } = env;
  if (arn === undefined || maxTasks === undefined) return 0;
  return startPool({ ...runningJobs, pool: { machine: poolStateMachine(stepFunctions, arn), maxTasks } });
}

const batches = batchTable(dynamo, env.TABLE_NAME);
const batchMachine = namedExecutions(stepFunctions, env.BATCH_STATE_MACHINE_ARN);

/** Starts what waits, and returns the failures, for the alarm: nothing else retries it, and the rest of the run goes on. */
async function failuresOf(name: string, start: () => Promise<number>): Promise<0 | 1> {
  try {
    const started = await start();
    if (started > 0) logger.info(`${name} started`, { started });
    return 0;
  } catch (error) {
    logger.error(`${name} could not be started`, { error });
    return 1;
  }
}

const emit = metricsToLog();

export const handler = async (_event: unknown, context: Context) => {
  startInvocationLog(context);
  const until = deadlineOf(context, reserveMs);
  const report = await logFailure(() => run(new Date(until.getTime() - erasureMs)));
  emit({ ReconcileRuns: 1, ReconcileDue: report.due, ReconcileFailed: report.failed });
  emit({ ReconcileFailed: await logFailure(() => erase(until)) });
  emit({ ReconcileFailed: await failuresOf('Tasks of the pool', startPoolTasks) });
  const resumeDue = () => resumeBatches({ ...runningJobs, batches, machine: batchMachine });
  emit({ ReconcileFailed: await failuresOf('Executions of batches', resumeDue) });
  emit({ OldestWaitingSeconds: await logFailure(measureOldestWaiting) });
  return report;
};
