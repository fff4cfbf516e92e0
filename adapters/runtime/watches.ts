import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { AppError } from '../../core/errors.ts';
import { jsonText } from '../../core/json-text.ts';
import { underPrefix } from '../../core/storage/object-key.ts';
import { type OpenWatched, type Watch, watchSchema } from '../../core/watches/watch.ts';
import { listedObjects } from '../storage/list-objects.ts';
import { readEnv } from './env.ts';
import { bucketOpener } from './object-stores.ts';
import { ownClients } from './provider-clients.ts';

/** Opens the buckets of watches with the permissions of the function, or the credentials of their providers. */
export function watchedBuckets(tableName: string): OpenWatched {
  const openBucket = bucketOpener(tableName, ownClients());
  return async ({ name, ownerId, storageProviderId, bucket, prefix: below }) => {
    const missing = () =>
      new AppError('NOT_FOUND', `The storage provider ${storageProviderId} of the watch ${name} does not exist.`);
    const { provider, ...access } = await openBucket({ ownerId, storageProviderId }, missing);
    const isOfAccount = bucket !== undefined;
    const prefix = isOfAccount ? below : underPrefix(below, provider.prefix);
    return { prefix, providerPrefix: provider.prefix, ...listedObjects(access, { prefix, hasVersions: isOfAccount }) };
  };
}

/** The watches of the settings: a file beside the function's code, if there are any. */
export function readWatches(): Watch[] {
  const env = readEnv(z.object({ WATCHES_FILE: z.string().optional(), LAMBDA_TASK_ROOT: z.string().default('.') }));
  if (env.WATCHES_FILE === undefined) return [];
  const text = readFileSync(path.join(env.LAMBDA_TASK_ROOT, env.WATCHES_FILE), 'utf8');
  return jsonText(z.array(watchSchema)).parse(text);
}
