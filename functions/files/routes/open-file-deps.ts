import * as z from 'zod';
import { concurrencyLimits } from '../../../adapters/dynamodb/concurrency-limits.ts';
import { jobTable } from '../../../adapters/dynamodb/job-table.ts';
import { playbackRecords } from '../../../adapters/dynamodb/playback-records.ts';
import { playlistGroup, playlistSort } from '../../../adapters/dynamodb/table-keys.ts';
import { dynamo } from '../../../adapters/runtime/clients/dynamo.ts';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { mediaPresigner } from '../../../adapters/runtime/media-urls.ts';
import { bucketOpener } from '../../../adapters/runtime/object-stores.ts';
import { ownClients } from '../../../adapters/runtime/provider-clients.ts';
import { newId } from '../../../adapters/runtime/random.ts';
import { bucketFiles } from '../../../adapters/s3/bucket-files.ts';
import { providerFiles } from '../../../adapters/storage/provider-files.ts';
import { systemClock } from '../../../adapters/system/clock.ts';
import { AppError } from '../../../core/errors.ts';
import { providerBucketUrl } from '../../../core/storage/provider-rules.ts';
import { cacheOpened } from '../cache-opened.ts';

/** What the routes of files need: the records of jobs, the media bucket and the storage providers of owners. */
export function openFileDeps() {
  const {
    TABLE_NAME,
    MAX_PLAYLIST_READS: maxPlaylistReads,
    AWS_ENDPOINT_URL_S3: awsEndpoint,
  } = readEnv(
    z.object({
      TABLE_NAME: z.string(),
      MAX_PLAYLIST_READS: z.coerce.number().int().min(1),
      AWS_ENDPOINT_URL_S3: z.url().optional(),
    }),
  );
  const openBucket = bucketOpener(TABLE_NAME, ownClients());
  const removed = () => new AppError('NOT_FOUND', 'The storage provider of the file was removed.');
  return {
    jobs: jobTable(dynamo, TABLE_NAME),
    playbacks: playbackRecords(dynamo, TABLE_NAME),
    bucket: bucketFiles(mediaPresigner()),
    openProvider: cacheOpened(systemClock, async (ref) => {
      const access = await openBucket(ref, removed);
      return providerFiles(access, providerBucketUrl(access.provider, awsEndpoint), systemClock);
    }),
    concurrency: concurrencyLimits(dynamo, TABLE_NAME, playlistSort),
    limitOfOwner: playlistGroup,
    maxPlaylistReads,
    clock: systemClock,
    newId,
  };
}
