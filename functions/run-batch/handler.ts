import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { inputLimitsSchema } from '@media-jobs/video/probe';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { batchTable } from '../../adapters/dynamodb/batch-table.ts';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { encoderSlowness } from '../../adapters/dynamodb/encoder-slowness.ts';
import { erasureRequests } from '../../adapters/dynamodb/erasures.ts';
import { batchStepsSort, openBatchesSort } from '../../adapters/dynamodb/table-keys.ts';
import { watchTable } from '../../adapters/dynamodb/watch-table.ts';
import { readHeader } from '../../adapters/mediabunny/read-header.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { s3Client } from '../../adapters/runtime/clients/s3.ts';
import { readEnv, readTenancy } from '../../adapters/runtime/env.ts';
import { inputFiles } from '../../adapters/runtime/input-files.ts';
import { jobStateMachines, runningJobDeps } from '../../adapters/runtime/job-queue.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { providerClients } from '../../adapters/runtime/provider-clients.ts';
import { acceptJobPorts } from '../../adapters/runtime/submission.ts';
import { readWatches, watchedBuckets } from '../../adapters/runtime/watches.ts';
import { batchFiles } from '../../adapters/s3/bucket-files.ts';
import { toProviderInputError } from '../../adapters/storage/provider-error.ts';
import { newId, systemClock } from '../../adapters/system/clock.ts';
import { batchStepSchema, maxLineBytes, maxManifestBytes } from '../../core/batches/batch.ts';
import { AppError } from '../../core/errors.ts';
import { jsonText } from '../../core/json-text.ts';
import { pricedWorkersSchema } from '../../core/pricing/fargate-computer.ts';
import { acceptJob } from '../../core/submission/accept-job.ts';
import { idOfLine } from '../../core/submission/manifest-line.ts';
import { cancelUnfinished } from '../../core/termination/terminate-job.ts';
import type { OpenWatched } from '../../core/watches/watch.ts';
import { runBatch } from './app.ts';
import { limitSteps } from './limit-steps.ts';
import { listObjects } from './list-objects.ts';
import { manifestFile } from './manifest-file.ts';
import { submitListed } from './submit-lines.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    MEDIA_BUCKET: z.string(),
    AWS_ENDPOINT_URL_S3: z.url().optional(),
    PRICED_WORKERS: jsonText(pricedWorkersSchema),
    INPUT_LIMITS: jsonText(inputLimitsSchema),
  }),
);
const media = { client: s3Client(env.AWS_ENDPOINT_URL_S3), bucket: env.MEDIA_BUCKET };
const files = batchFiles(media, newId);
const running = runningJobDeps();
const submission = acceptJobPorts();
const cancelling = {
  ...running,
  ...jobStateMachines(),
  onStopFailed: ({ jobId }: { jobId: string }, error: unknown) =>
    logger.warn('The execution of a cancelled job could not be stopped', { jobId, error }),
};

/** Buckets of the account, by the function's own role: a manifest lies in no other one. */
const clientOf = providerClients();
const download = inputFiles(media, {
  tableName: env.TABLE_NAME,
  totalMs: 240_000,
  clientOf: (provider) => clientOf(provider, () => dynamo.config.credentials()),
});

const withFile = manifestFile(tmpdir());

const ofStage = readWatches();
const watches = watchTable(dynamo, env.TABLE_NAME);
const open = ofStage.length === 0 ? undefined : watchedBuckets(env.TABLE_NAME);
const openWatched: OpenWatched = async (watch) => {
  if (open === undefined) throw new AppError('NOT_FOUND', 'This stage has no watches any more.');
  const bucket = await open(watch);
  return {
    ...bucket,
    async *list() {
      try {
        yield* bucket.list();
      } catch (error) {
        throw toProviderInputError(error);
      }
    },
  };
};

const run = runBatch({
  jobs: submission.jobs,
  clock: submission.clock,
  minuteUsd: submission.minuteUsd,
  batches: batchTable(dynamo, env.TABLE_NAME),
  accept: (asked) => acceptJob(submission, asked),
  cancel: (job) =>
    cancelUnfinished(cancelling, job).catch((cause: unknown) => {
      // It has ended meanwhile: the next step counts it.
      if (!(cause instanceof AppError)) throw cause;
    }),
  copyManifest: (batch) =>
    withFile(async (file) => {
      const { ownerId, manifestUrl: url = '' } = batch;
      const signal = AbortSignal.timeout(270_000);
      const request = { url, ownerId, path: file, maxBytes: maxManifestBytes, signal, onProgress: () => undefined };
      const { bytes } = await download(request);
      return { bytes, lines: await files.storeManifest(batch, file) };
    }),
  listObjects: listObjects({
    ...submission,
    ...{ watches, ofStage, openWatched, readHeader },
    slowness: encoderSlowness(dynamo, env.TABLE_NAME, systemClock),
    workers: env.PRICED_WORKERS,
    inputLimits: env.INPUT_LIMITS,
    storeLines: (batch, lines) =>
      withFile(async (file) => {
        await pipeline(Readable.from(lines), createWriteStream(file));
        return { bytes: (await stat(file)).size, lines: await files.storeManifest(batch, file) };
      }),
  }),
  submitListed: submitListed({
    ...submission,
    ...{ watches, ofStage, openWatched, erasures: erasureRequests(dynamo, env.TABLE_NAME) },
    onRefused: ({ name: watch }, { key }, error) =>
      logger.warn('An object cannot be the input of a job', { watch, key, error }),
  }),
  readManifest: files.readManifest,
  async readLineId(batch, at) {
    const line = await files.readManifest(batch, {
      start: at,
      end: Math.min(at + maxLineBytes, batch.manifestBytes ?? 0),
    });
    return idOfLine(line.toString('utf8').split('\n', 1)[0] ?? '');
  },
  appendReport: files.appendReport,
  onUnexpected: (error) => logger.error('A line could not be submitted; the next step submits it again', { error }),
});

const takeStep = limitSteps(
  {
    ...{ tenancy: readTenancy(), clock: systemClock, newId },
    running: concurrencyLimits(dynamo, env.TABLE_NAME, batchStepsSort),
    open: concurrencyLimits(dynamo, env.TABLE_NAME, openBatchesSort),
  },
  run,
);

/** So that progress shows, and a lost step repeats little. */
const stepMs = 45_000;

export const handler = async (event: unknown, context: Context) => {
  const step = batchStepSchema.parse(event);
  startInvocationLog(context, { batchId: step.batchId, step: step.step });
  return logFailure(() => takeStep(step, new Date(Date.now() + stepMs)));
};
