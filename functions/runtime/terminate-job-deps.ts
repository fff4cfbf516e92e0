import * as z from 'zod';
import { settingsTable } from '../../adapters/dynamodb/settings-table.ts';
import { deliveryStarter } from '../../adapters/stepfunctions/delivery-starter.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import type { TerminateJobDeps } from '../terminate-job/terminate-job.ts';
import { dynamo } from './clients/dynamo.ts';
import { stepFunctions } from './clients/sfn.ts';
import { readEnv } from './env.ts';
import { logger } from './logger.ts';
import { meteredJobTable } from './metrics.ts';
import { newId } from './random.ts';

/** The dependencies of a function that can end a job. */
export function terminateJobDeps(): TerminateJobDeps {
  const env = readEnv(z.object({ TABLE_NAME: z.string(), DELIVERY_STATE_MACHINE_ARN: z.string() }));
  return {
    jobs: meteredJobTable(env.TABLE_NAME),
    settings: settingsTable(dynamo, env.TABLE_NAME),
    deliveries: deliveryStarter(stepFunctions, env.DELIVERY_STATE_MACHINE_ARN),
    clock: systemClock,
    newId,
    onDeliveryStartFailed: ({ jobId }, cause) =>
      logger.warn('The delivery could not be started. Reconcile starts it', { jobId, error: cause }),
  };
}
