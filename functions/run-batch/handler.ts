import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { batchTable } from '../../adapters/dynamodb/batch-table.ts';
import { acceptJobPorts } from '../../adapters/runtime/accept-job.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { s3Client } from '../../adapters/runtime/clients/s3.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { inputFiles } from '../../adapters/runtime/input-files.ts';
import { runningJobDeps } from '../../adapters/runtime/job-queue.ts';
import { jobStateMachines } from '../../adapters/runtime/job-state-machines.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { providerClients } from '../../adapters/runtime/provider-clients.ts';
import { newId } from '../../adapters/runtime/random.ts';
import { batchFiles } from '../../adapters/s3/batch-files.ts';
import { batchStepSchema, maxLineBytes, maxManifestBytes } from '../../core/batches/batch.ts';
import { AppError } from '../../core/errors.ts';
import { acceptJob } from '../../core/submission/accept-job.ts';
import { idOfLine } from '../../core/submission/manifest-line.ts';
import { cancelUnfinished } from '../../core/termination/cancel-job.ts';
import { runBatch } from './app.ts';

const env = readEnv(
  z.object({ TABLE_NAME: z.string(), MEDIA_BUCKET: z.string(), AWS_ENDPOINT_URL_S3: z.url().optional() }),
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
  async copyManifest(batch) {
    const { ownerId, manifestUrl: url } = batch;
    const file = path.join(tmpdir(), `${batch.batchId}.jsonl`);
    const signal = AbortSignal.timeout(270_000);
    const request = { url, ownerId, path: file, maxBytes: maxManifestBytes, signal, onProgress: () => undefined };
    try {
      const { bytes } = await download(request);
      return { bytes, lines: await files.storeManifest(batch, file) };
    } finally {
      await rm(file, { force: true });
    }
  },
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

/** So that progress shows, and a lost step repeats little. */
const stepMs = 45_000;

export const handler = async (event: unknown, context: Context) => {
  const step = batchStepSchema.parse(event);
  startInvocationLog(context, { batchId: step.batchId, step: step.step });
  return logFailure(() => run(step, new Date(Date.now() + stepMs)));
};
