import type { AwsCredentialIdentity, RequestSigner } from '@smithy/types';
import * as z from 'zod';
import type { ObjectStore } from '../../core/storage/object-store.ts';
import type { StorageProvider } from '../../core/storage/provider.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { providerClient } from '../storage/provider-client.ts';
import { readEnv } from './env.ts';
import { urlRules } from './url-rules.ts';

/** A bucket of an owner. `uploads`: how a worker without credentials of it begins uploads. */
export type OpenedBucket = BucketAccess & { uploads?: Pick<ObjectStore, 'prepare' | 'begin'> };

/** Opens a provider that was read; `find` reads it again. */
export type OpenClient = (provider: StorageProvider, find: () => Promise<StorageProvider>) => OpenedBucket;

/** Creates the client of a provider, which signs with these credentials, or with this signer. */
export function providerClients(): (
  provider: StorageProvider,
  credentials: () => Promise<AwsCredentialIdentity>,
  signer?: RequestSigner,
) => BucketAccess {
  const { AWS_ENDPOINT_URL_S3: awsEndpoint } = readEnv(z.object({ AWS_ENDPOINT_URL_S3: z.url().optional() }));
  const { reachable } = urlRules().webhook;
  return (provider, credentials, signer) => providerClient(provider, { credentials, signer, reachable, awsEndpoint });
}
