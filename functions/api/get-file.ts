import * as z from 'zod';
import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { permits } from '../../adapters/dynamodb/permits.ts';
import { playlistGroup, playlistSort } from '../../adapters/dynamodb/table-keys.ts';
import { bucketFiles } from '../../adapters/s3/bucket-files.ts';
import { providerFiles } from '../../adapters/storage/provider-files.ts';
import { systemClock } from '../../adapters/system/clock.ts';
import { getFileContract } from '../../core/api/files.ts';
import { AppError } from '../../core/errors.ts';
import { providerBucketUrl } from '../../core/storage/provider-rules.ts';
import { cacheOpened } from '../runtime/cache-opened.ts';
import { dynamo } from '../runtime/clients/dynamo.ts';
import { readEnv } from '../runtime/env.ts';
import { withCompression } from '../runtime/http/compression.ts';
import { publicRoute } from '../runtime/http/route.ts';
import { mediaPresigner } from '../runtime/media-urls.ts';
import { bucketOpener } from '../runtime/object-stores.ts';
import { newId } from '../runtime/random.ts';
import { getFile } from './app/get-file.ts';

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
const openBucket = bucketOpener(TABLE_NAME);
const removed = () => new AppError('NOT_FOUND', 'The storage provider of the file was removed.');

// The playlist of a long video has a name for each segment of a few seconds.
export const handler = withCompression(
  publicRoute(
    getFileContract,
    getFile({
      jobs: jobTable(dynamo, TABLE_NAME),
      bucket: bucketFiles(mediaPresigner()),
      openProvider: cacheOpened(systemClock, async (ref) => {
        const access = await openBucket(ref, removed);
        return providerFiles(access, providerBucketUrl(access.provider, awsEndpoint), systemClock);
      }),
      permits: permits(dynamo, TABLE_NAME, playlistSort),
      permitGroup: playlistGroup,
      maxPlaylistReads,
      clock: systemClock,
      newId,
    }),
  ),
);
