import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import { chunkSettingsSchema } from '@media-jobs/video/chunking';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { outlastOutages } from '../../adapters/runtime/clients/client-settings.ts';
import { readEnv, readOwnerLimits } from '../../adapters/runtime/env.ts';
import { jobStateMachines } from '../../adapters/runtime/job-queue.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { openJob } from '../../adapters/runtime/open-job.ts';
import { rangeProxies } from '../../adapters/runtime/range-proxies.ts';
import { functionComputer, wholeJobEnvSchema, wholeJobPorts } from '../../adapters/runtime/whole-job-ports.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { jsonText } from '../../core/json-text.ts';
import { fargateComputer } from '../../core/pricing/fargate-computer.ts';
import type { FunctionPorts } from '../../core/worker/ports.ts';
import { transcode } from './transcode.ts';

const env = readEnv(wholeJobEnvSchema.extend({ CHUNKING_SETTINGS: jsonText(chunkSettingsSchema) }));

const { bucket, ...deps } = wholeJobPorts(env, functionComputer(env));
const { parallel, fargateMachine } = jobStateMachines();
const { maxRunningChunks, maxBatchChunks } = readOwnerLimits();

const computer = fargateComputer({ ...env.PRICED_WORKERS, slowness: env.PROCESSOR_SLOWNESS });
const transcodeDeps: FunctionPorts = {
  kind: 'function',
  ...deps,
  openRangeProxy: rangeProxies(bucket, env.TABLE_NAME),
  chunking: env.CHUNKING_SETTINGS,
  parallel,
  fargate: computer && fargateMachine && { ...computer, machine: fargateMachine },
  maxRunningChunks,
  maxBatchChunks,
};

const messageSchema = z.object({ ownerId: z.string(), jobId: z.string() });
const batch = new BatchProcessor(EventType.SQS);

async function processMessage({ body, messageId }: SQSRecord, context: Context): Promise<void> {
  startInvocationLog(context, { messageId });
  await logFailure(async () => {
    const ref = messageSchema.parse(JSON.parse(body));
    const deadline = deadlineOf(context);
    outlastOutages(deadline);
    startInvocationLog(context, ref);
    logger.info('Job received');
    const take = async () => {
      const job = await openJob({ message: ref });
      // It may be another job than that of the message.
      if (job !== undefined) startInvocationLog(context, { ownerId: job.ownerId, jobId: job.jobId });
      return job;
    };
    logger.info('Job processed', { result: await transcode(transcodeDeps, { take, deadline }) });
  });
}

export const handler = (event: SQSEvent, context: Context) =>
  processPartialResponse(event, (record: SQSRecord) => processMessage(record, context), batch, { context });
