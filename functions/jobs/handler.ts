import * as z from 'zod';
import { edgeStoreFromEnvironment } from '../../adapters/cloudfront/edge-store.ts';
import { deliveryJournal, endpointDeliveries } from '../../adapters/dynamodb/delivery-journal.ts';
import { idempotencyTable } from '../../adapters/dynamodb/idempotency-table.ts';
import { jobLogs } from '../../adapters/dynamodb/job-logs.ts';
import { eventFeed, jobTable } from '../../adapters/dynamodb/job-table.ts';
import { metadataIndex } from '../../adapters/dynamodb/metadata-index.ts';
import { playbackRecords } from '../../adapters/dynamodb/playback-records.ts';
import { runningLimit } from '../../adapters/dynamodb/running-limit.ts';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { spendingCounters } from '../../adapters/dynamodb/spending-counters.ts';
import { usageCounters } from '../../adapters/dynamodb/usage-counters.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv, readOwnerLimits } from '../../adapters/runtime/env.ts';
import { answerRoutes, route } from '../../adapters/runtime/http/route.ts';
import { jobStateMachines, runningJobDeps } from '../../adapters/runtime/job-queue.ts';
import { logger } from '../../adapters/runtime/logger.ts';
import { fileLinks } from '../../adapters/runtime/media-urls.ts';
import { startDeliveryDeps } from '../../adapters/runtime/start-delivery-deps.ts';
import { submissionPorts } from '../../adapters/runtime/submission.ts';
import { readStageBuckets } from '../../adapters/runtime/url-rules.ts';
import { systemClock as clock, newId } from '../../adapters/system/clock.ts';
import { listDeliveriesContract, recoverDeliveriesContract, redeliverJobContract } from '../../core/api/deliveries.ts';
import { listEventsContract } from '../../core/api/events.ts';
import {
  cancelJobContract,
  deleteJobContract,
  getJobLogContract,
  retryJobContract,
} from '../../core/api/job-actions.ts';
import { getJobContract, listJobsContract } from '../../core/api/jobs.ts';
import { createPlaybackContract, revokePlaybackContract } from '../../core/api/playback.ts';
import { listDeliveries, recoverDeliveries, redeliverJob } from './deliveries.ts';
import { getJob, getJobLog } from './get-job.ts';
import { cancelJob, deleteJob, retryJob } from './job-actions.ts';
import { listEvents } from './list-events.ts';
import { listJobs } from './list-jobs.ts';
import { createPlayback, revokePlayback } from './playback.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
const jobs = jobTable(dynamo, TABLE_NAME);
const files = fileLinks();
const limits = readOwnerLimits();
const playbacks = playbackRecords(dynamo, TABLE_NAME);
const edge = edgeStoreFromEnvironment();
const edgeBuckets = readStageBuckets().buckets.flatMap(({ name, playback }) => (playback ? [name] : []));

export const handler = answerRoutes<'jobs'>({
  getJob: route(getJobContract, getJob({ jobs, files, clock })),
  listJobs: route(
    listJobsContract,
    listJobs({
      jobs,
      running: runningLimit(dynamo, TABLE_NAME, limits.maxRunningJobs),
      metadataIndex: metadataIndex(dynamo, TABLE_NAME),
      files,
      clock,
    }),
  ),
  listEvents: route(listEventsContract, listEvents({ jobs, feed: eventFeed(dynamo, TABLE_NAME), files, clock })),
  getJobLog: route(getJobLogContract, getJobLog({ jobs, logs: jobLogs(dynamo, TABLE_NAME) })),
  cancelJob: route(
    cancelJobContract,
    cancelJob({
      ...runningJobDeps(),
      ...jobStateMachines(),
      onStopFailed: ({ jobId }, error) =>
        logger.warn('The execution could not be stopped. Its tasks stop once they see that the job has ended', {
          jobId,
          error,
        }),
    }),
  ),
  retryJob: route(retryJobContract, retryJob(submissionPorts())),
  deleteJob: route(
    deleteJobContract,
    deleteJob({
      jobs,
      playbacks,
      edge,
      usage: usageCounters(dynamo, TABLE_NAME),
      spending: spendingCounters(dynamo, TABLE_NAME),
      clock,
      onUsageFailure: ({ jobId }, error) =>
        logger.warn('The usage of a deleted job was not subtracted; reconcile does that', { jobId, error }),
    }),
  ),
  createPlayback: route(createPlaybackContract, createPlayback({ jobs, playbacks, files, edge, edgeBuckets, clock })),
  revokePlayback: route(revokePlaybackContract, revokePlayback({ jobs, playbacks, edge, clock })),
  listDeliveries: route(
    listDeliveriesContract,
    listDeliveries({ jobs, journal: deliveryJournal(dynamo, TABLE_NAME), files, clock }),
  ),
  redeliverJob: route(
    redeliverJobContract,
    redeliverJob({
      ...startDeliveryDeps(),
      reservations: idempotencyTable(dynamo, TABLE_NAME),
      endpointDeliveries: endpointDeliveries(dynamo, TABLE_NAME),
      limits,
    }),
  ),
  recoverDeliveries: route(
    recoverDeliveriesContract,
    recoverDeliveries({ jobs, settings: settingsTable(dynamo, TABLE_NAME), clock, newId, limits }),
  ),
});
