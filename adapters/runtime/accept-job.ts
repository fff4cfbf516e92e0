import * as z from 'zod';
import { settingsTable } from '../dynamodb/settings-table.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { readablePresets } from './presets.ts';
import { contentKeys } from './stage-ciphers.ts';
import { submissionPorts } from './submission.ts';
import { urlRules } from './url-rules.ts';

/** The ports of whatever makes new jobs, from the environment of its function. */
export function acceptJobPorts() {
  const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));
  return {
    ...submissionPorts(),
    settings: settingsTable(dynamo, TABLE_NAME),
    urlRules: urlRules(),
    contentKeys: contentKeys(),
    presets: readablePresets(),
  };
}
