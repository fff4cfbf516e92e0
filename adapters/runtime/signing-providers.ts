import * as z from 'zod';
import type { ObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProviderRef } from '../../core/storage/provider.ts';
import { providerBucketUrl } from '../../core/storage/provider-rules.ts';
import type { OpenedProvider, SignedRequest } from '../../core/worker/open-job.ts';
import { storageProviderTable } from '../dynamodb/storage-provider-table.ts';
import { presigner } from '../s3/presign.ts';
import { objectStore } from '../storage/object-store.ts';
import { AssumeRoleError } from '../sts/assume-role.ts';
import { systemClock } from '../system/clock.ts';
import { dynamo } from './clients/dynamo.ts';
import { readEnv } from './env.ts';
import { providerAccess, providerClients } from './provider-clients.ts';

/** As long as the credentials of a job. */
const lifetimeSeconds = 3600;

/** Finds storage providers of owners, with sessions of their roles, and requests signed with their keys. */
export function signingProviders(tableName: string) {
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  const providers = storageProviderTable(dynamo, tableName);
  const accessOf = providerAccess();
  const clientOf = providerClients();
  return async (ref: StorageProviderRef) => {
    const provider = await providers.get(ref);
    if (provider === undefined) return undefined;
    const { signIn } = await accessOf(provider);
    const bucketUrl = providerBucketUrl(provider, awsEndpoint);
    const presign = presigner({ region: provider.region, credentials: signIn, bucketUrl, clock: systemClock });
    return {
      provider,
      session: () => sessionOf(signIn),
      sign: async (method: SignedRequest['method'], key: string, query?: Record<string, string>) => ({
        method,
        url: (await presign({ method, key, query, lifetimeSeconds })).url,
      }),
      store: objectStore(clientOf(provider, signIn), provider.prefix) satisfies Pick<ObjectStore, 'begin' | 'abort'>,
    };
  };
}

type SignIn = Awaited<ReturnType<ReturnType<typeof providerAccess>>>['signIn'];

async function sessionOf(signIn: SignIn): Promise<OpenedProvider> {
  try {
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = await signIn();
    if (sessionToken === undefined || expiration === undefined) throw new Error('STS answered without a session');
    return { credentials: { accessKeyId, secretAccessKey, sessionToken, expiration } };
  } catch (cause) {
    if (!(cause instanceof AssumeRoleError)) throw cause;
    const { code, status, disabledRegion } = cause;
    return { refused: { code, status, disabledRegion } };
  }
}
