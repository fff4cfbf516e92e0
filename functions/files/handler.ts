import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { concurrencyLimits } from '../../adapters/dynamodb/concurrency-limits.ts';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { playbackRecords } from '../../adapters/dynamodb/playback-records.ts';
import { playlistLimit, playlistSort } from '../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../adapters/runtime/env.ts';
import { compression } from '../../adapters/runtime/http/compression.ts';
import { answerRoutes, publicRoute } from '../../adapters/runtime/http/route.ts';
import { mediaPresigner } from '../../adapters/runtime/media-urls.ts';
import { bucketOpener } from '../../adapters/runtime/object-stores.ts';
import { ownClients } from '../../adapters/runtime/provider-clients.ts';
import { bucketFiles } from '../../adapters/s3/bucket-files.ts';
import { providerFiles } from '../../adapters/storage/provider-files.ts';
import { newId, systemClock } from '../../adapters/system/clock.ts';
import { getFileContract, headFileContract } from '../../core/api/files.ts';
import { getEmbedPageContract } from '../../core/api/playback.ts';
import { AppError } from '../../core/errors.ts';
import { embedPageFile } from '../../core/playback/embed-page.ts';
import { providerBucketUrl } from '../../core/storage/provider-rules.ts';
import { cacheOpened, getEmbedPage, getFile, headFile } from './open-file.ts';

const env = readEnv(
  z.object({
    TABLE_NAME: z.string(),
    MAX_PLAYLIST_READS: z.coerce.number().int().min(1),
    AWS_ENDPOINT_URL_S3: z.url().optional(),
    FRAME_ANCESTORS: z.string(),
    LAMBDA_TASK_ROOT: z.string(),
  }),
);

const openBucket = bucketOpener(env.TABLE_NAME, ownClients());
const removed = () => new AppError('NOT_FOUND', 'The storage provider of the file was removed.');

/** The records of jobs, the media bucket and the storage providers of owners. */
const deps = {
  jobs: jobTable(dynamo, env.TABLE_NAME),
  playbacks: playbackRecords(dynamo, env.TABLE_NAME),
  bucket: bucketFiles(mediaPresigner()),
  openProvider: cacheOpened(systemClock, async (ref) => {
    const access = await openBucket(ref, removed);
    return providerFiles(access, providerBucketUrl(access.provider, env.AWS_ENDPOINT_URL_S3), systemClock);
  }),
  concurrency: concurrencyLimits(dynamo, env.TABLE_NAME, playlistSort),
  limitOfOwner: playlistLimit,
  maxPlaylistReads: env.MAX_PLAYLIST_READS,
  clock: systemClock,
  newId,
};

const page = {
  readPage: () => readFile(join(env.LAMBDA_TASK_ROOT, embedPageFile), 'utf8'),
  frameAncestors: env.FRAME_ANCESTORS,
};

export const handler = answerRoutes<'files'>({
  // The playlist of a long video has a name for each segment of a few seconds.
  getFile: publicRoute(getFileContract, getFile(deps), compression),
  headFile: publicRoute(headFileContract, headFile(deps)),
  getEmbedPage: publicRoute(getEmbedPageContract, getEmbedPage(page), compression),
});
