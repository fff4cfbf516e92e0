import * as z from 'zod';
import { batchTable } from '../../../adapters/dynamodb/batch-table.ts';
import { concurrencyLimits } from '../../../adapters/dynamodb/concurrency-limits.ts';
import { settingsTable } from '../../../adapters/dynamodb/settings-table.ts';
import { openBatchesSort } from '../../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { stepFunctions } from '../../../adapters/runtime/clients/sfn.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { answerPart, route } from '../../../adapters/runtime/http/route.ts';
import { logger } from '../../../adapters/runtime/logger.ts';
import { mediaPresigner } from '../../../adapters/runtime/media-urls.ts';
import { readablePresets } from '../../../adapters/runtime/presets.ts';
import { submissionPorts } from '../../../adapters/runtime/submission.ts';
import { urlRules } from '../../../adapters/runtime/url-rules.ts';
import { readWatches } from '../../../adapters/runtime/watches.ts';
import { namedExecutions } from '../../../adapters/stepfunctions/state-machines.ts';
import { newId } from '../../../adapters/system/clock.ts';
import * as contracts from '../../../core/api/batches.ts';
import * as apps from '../batches.ts';

const env = readEnv(z.object({ TABLE_NAME: z.string(), BATCH_STATE_MACHINE_ARN: z.string() }));
const presign = mediaPresigner();
const ports = submissionPorts();

/** A URL ends with the session that signs it. */
const reportUrlSeconds = 3600;

const deps = {
  ...ports,
  batches: batchTable(dynamo, env.TABLE_NAME),
  signReport: async (key: string) => (await presign({ method: 'GET', key, lifetimeSeconds: reportUrlSeconds })).url,
};

export const handler = answerPart({
  createBatch: route(
    contracts.createBatchContract,
    apps.createBatch({
      ...deps,
      settings: settingsTable(dynamo, env.TABLE_NAME),
      presets: readablePresets(),
      urlRules: urlRules(),
      ofStage: readWatches(),
      machine: namedExecutions(stepFunctions, env.BATCH_STATE_MACHINE_ARN),
      open: concurrencyLimits(dynamo, env.TABLE_NAME, openBatchesSort),
      newId,
      onStartFailed: ({ batchId }, error) =>
        logger.warn('The batch could not be started. Reconcile starts it', { batchId, error }),
    }),
  ),
  listBatches: route(contracts.listBatchesContract, apps.listBatches(deps)),
  getBatch: route(contracts.getBatchContract, apps.getBatch(deps)),
  cancelBatch: route(contracts.cancelBatchContract, apps.cancelBatch(deps)),
});
