import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { fileLinks } from '../runtime/downloads.ts';
import { readEnv } from '../runtime/env.ts';
import { beginLog, logger, loggingFailure } from '../runtime/logger.ts';
import { measuredJobs } from '../runtime/measured-jobs.ts';
import { postingPorts } from '../runtime/posting-ports.ts';
import { newId } from '../runtime/random.ts';
import { type DeliverInput, deliverWebhook } from './app.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

const deliver = deliverWebhook({
  ...postingPorts(),
  jobs: measuredJobs(TABLE_NAME),
  journal: deliveryJournal(dynamo, TABLE_NAME),
  files: fileLinks(),
  clock: systemClock,
  newId,
});

export const handler = async (input: DeliverInput, context: Context) => {
  const { jobId, deliveryId, attempt } = input;
  beginLog(context, { jobId, deliveryId, attempt });
  const result = await loggingFailure(() => deliver(input));
  logger.info('Delivery attempted', { status: result.status });
  return result;
};
