import * as z from 'zod';
import { deliveryJournal } from '../../adapters/dynamodb/delivery-journal.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { downloadSigner } from '../runtime/downloads.ts';
import { readEnv } from '../runtime/env.ts';
import { postingPorts } from '../runtime/posting-ports.ts';
import { newId } from '../runtime/random.ts';
import { deliverWebhook } from './app.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = deliverWebhook({
  ...postingPorts(),
  jobs: jobTable(dynamo, TABLE_NAME),
  journal: deliveryJournal(dynamo, TABLE_NAME),
  files: { signDownload: downloadSigner() },
  clock: systemClock,
  newId,
});
