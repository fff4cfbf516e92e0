import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { jsonText } from '../../core/json-text.ts';
import { type Watch, watchSchema } from '../../core/watches/watch.ts';
import { readEnv } from './env.ts';

/** The watches of the settings: a file beside the function's code, if there are any. */
export function readWatches(): Watch[] {
  const env = readEnv(z.object({ WATCHES_FILE: z.string().optional(), LAMBDA_TASK_ROOT: z.string().default('.') }));
  if (env.WATCHES_FILE === undefined) return [];
  const text = readFileSync(path.join(env.LAMBDA_TASK_ROOT, env.WATCHES_FILE), 'utf8');
  return jsonText(z.array(watchSchema)).parse(text);
}
