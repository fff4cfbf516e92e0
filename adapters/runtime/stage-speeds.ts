import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { type StageSpeeds, stageSpeedsSchema } from '../../core/submission/choose-speed.ts';
import { readEnv } from './env.ts';

/** What the stage says on the speed of jobs. */
export function readStageSpeeds(): StageSpeeds {
  return readEnv(z.object({ STAGE_SPEEDS: jsonText(stageSpeedsSchema) })).STAGE_SPEEDS;
}
