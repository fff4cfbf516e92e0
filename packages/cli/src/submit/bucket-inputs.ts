import { ApiError, type Client } from '@media-jobs/client';
import { isUnderPrefix, keyBelow, requestInputs, type SubmittedJob } from '@media-jobs/core/api';
import { CliError } from '../cli-error.ts';
import type { JobBody } from '../request/build-request.ts';

type Provider = { id: string; name: string; bucket: string; prefix?: string | undefined; allows?: string | undefined };

/**
 * Replaces each input `s3://bucket/key` of a request by the storage provider of its bucket. Without the scope `storage` it is
 * sent as it is: the service has it in one of its own buckets, or rejects it.
 *
 * @param providerId chooses one of several providers
 * @throws CliError `usage` if no provider has the bucket, or several have it
 */
export async function resolveBucketInputs(
  client: Pick<Client, 'listStorageProviders'>,
  body: JobBody,
  providerId: string | undefined,
): Promise<void> {
  const inputs = requestInputs(body as SubmittedJob).map(({ input }) => input);
  const found = inputs.flatMap((input) => {
    const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/s.exec(input.url ?? '') ?? [];
    return bucket === undefined || key === undefined ? [] : [{ input, object: { bucket, key } }];
  });
  if (found.length === 0) {
    if (providerId === undefined) return;
    throw new CliError('usage', '--provider needs an input s3://bucket/key.');
  }
  const storageProviders = await client.listStorageProviders().then(
    (listed) => listed.storageProviders,
    (error: unknown) => {
      if (providerId === undefined && error instanceof ApiError && error.code === 'FORBIDDEN') return undefined;
      throw error;
    },
  );
  if (storageProviders === undefined) return;
  for (const { input, object } of found) {
    const { id, prefix } = chooseProvider(storageProviders, object, providerId);
    delete input.url;
    Object.assign(input, { storageProviderId: id, key: keyBelow(object.key, prefix) });
  }
}

function chooseProvider(
  providers: readonly Provider[],
  { bucket, key }: { bucket: string; key: string },
  providerId: string | undefined,
): Provider {
  const ofBucket = providers.filter((provider) => provider.bucket === bucket && provider.allows !== 'write');
  const matching = ofBucket.filter(({ prefix }) => isUnderPrefix(key, prefix));
  const [first, ...others] = providerId === undefined ? matching : matching.filter(({ id }) => id === providerId);
  if (first === undefined) {
    const owner = providerId === undefined ? 'No storage provider has' : `${providerId} does not have`;
    const reason = ofBucket.length === 0 ? `the bucket ${bucket}` : `the key ${key} under its prefix`;
    throw new CliError('usage', `${owner} ${reason}.`, {
      hint: '"providers list" shows buckets and prefixes; "providers add" adds a bucket.',
    });
  }
  if (others.length > 0) {
    const ids = matching.map(({ id, name }) => `${id} (${name})`).join(', ');
    throw new CliError('usage', `Several storage providers have the bucket ${bucket}: ${ids}.`, {
      hint: 'Choose one with --provider.',
    });
  }
  return first;
}
