import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { compression } from '../../../adapters/runtime/http/compression.ts';
import { publicRoute } from '../../../adapters/runtime/http/route.ts';
import { getEmbedPageContract } from '../../../core/api/playback.ts';
import { embedPageFile } from '../../../core/playback/embed-page.ts';
import { getEmbedPage } from '../get-embed-page.ts';

const env = readEnv(z.object({ FRAME_ANCESTORS: z.string(), LAMBDA_TASK_ROOT: z.string() }));

export const handler = publicRoute(
  getEmbedPageContract,
  getEmbedPage({
    readPage: () => readFile(join(env.LAMBDA_TASK_ROOT, embedPageFile), 'utf8'),
    frameAncestors: env.FRAME_ANCESTORS,
  }),
  compression,
);
