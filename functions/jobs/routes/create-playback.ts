import * as z from 'zod';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { playbackRecords } from '../../../adapters/dynamodb/playback-records.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { route } from '../../../adapters/runtime/http/route.ts';
import { fileLinks } from '../../../adapters/runtime/media-urls.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { createPlaybackContract } from '../../../core/api/playback.ts';
import { createPlayback } from '../create-playback.ts';

const { TABLE_NAME } = readEnv(z.object({ TABLE_NAME: z.string() }));

export const handler = route(
  createPlaybackContract,
  createPlayback({
    jobs: jobTable(dynamo, TABLE_NAME),
    playbacks: playbackRecords(dynamo, TABLE_NAME),
    files: fileLinks(),
    clock: systemClock,
  }),
);
