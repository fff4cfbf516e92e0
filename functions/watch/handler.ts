import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { erasureRequests } from '../../adapters/dynamodb/erasures.ts';
import { watchTable } from '../../adapters/dynamodb/watch-table.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { logFailure, logger, startInvocationLog } from '../../adapters/runtime/logger.ts';
import { metricsToLog } from '../../adapters/runtime/metrics.ts';
import { acceptJobPorts } from '../../adapters/runtime/submission.ts';
import { readWatches, watchedBuckets } from '../../adapters/runtime/watches.ts';
import { deadlineOf } from '../../adapters/system/clock.ts';
import { jsonText } from '../../core/json-text.ts';
import { sweepWatches } from './sweep.ts';
import { objectCreatedSchema, takeEvent } from './take-event.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

const deps = {
  ...acceptJobPorts(),
  watches: watchTable(dynamo, TABLE_NAME),
  erasures: erasureRequests(dynamo, TABLE_NAME),
  ofStage: readWatches(),
  openWatched: watchedBuckets(TABLE_NAME),
  onRefused: ({ name: watch }: { name: string }, { key }: { key: string }, error: unknown) =>
    logger.warn('An object cannot be the input of a job', { watch, key, error }),
  onFailure: ({ name: watch }: { name: string }, error: unknown) =>
    logger.error('The watch could not be swept, or could not make jobs', { watch, error }),
};
const take = takeEvent(deps);
const sweep = sweepWatches(deps);
const emit = metricsToLog();
const batch = new BatchProcessor(EventType.SQS);
const eventSchema = jsonText(objectCreatedSchema);

async function takeMessage({ body, messageId }: SQSRecord, context: Context): Promise<void> {
  startInvocationLog(context, { messageId });
  await logFailure(() => take(eventSchema.parse(body)));
}

/** Events of the queue, or a tick of the schedule, which begins a sweep. */
export const handler = async (event: SQSEvent | { source: string }, context: Context) => {
  if ('Records' in event) {
    return processPartialResponse(event, (record: SQSRecord) => takeMessage(record, context), batch, { context });
  }
  startInvocationLog(context);
  const WatchLagSeconds = await logFailure(() => sweep(deadlineOf(context)));
  emit({ WatchLagSeconds });
  return { WatchLagSeconds };
};
