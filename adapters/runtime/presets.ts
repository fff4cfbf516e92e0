import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { presetSchema, type ReadablePresets, withStagePresets } from '../../core/presets/preset.ts';
import { presetTable } from '../dynamodb/preset-table.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';

const presetsSchema = jsonText(z.array(presetSchema));

/** The presets of owners, and those of the stage: a file beside the function's code, if it has any. */
export function presetPorts() {
  const env = readEnv(
    z.object({
      TABLE_NAME: z.string(),
      PRESETS_FILE: z.string().optional(),
      LAMBDA_TASK_ROOT: z.string().default('.'),
    }),
  );
  const file = env.PRESETS_FILE && path.join(env.LAMBDA_TASK_ROOT, env.PRESETS_FILE);
  return {
    presets: presetTable(dynamo, env.TABLE_NAME),
    ofStage: file === undefined ? [] : presetsSchema.parse(readFileSync(file, 'utf8')),
  };
}

/** The presets of stage and owners, for routes that submit or estimate a job. */
export function readablePresets(): ReadablePresets {
  const { presets, ofStage } = presetPorts();
  return withStagePresets(presets, ofStage);
}
