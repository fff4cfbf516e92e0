import { GetObjectCommand } from '@aws-sdk/client-s3';
import { AppError } from '../../core/errors.ts';
import type { Clock, FileStorage } from '../../core/jobs/ports.ts';
import { readPlaylist } from '../s3/bucket-files.ts';
import { presigner, signDownload } from '../s3/presign.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { describeProviderFailure, loggableCause } from './provider-error.ts';

/** A viewer waits for it, and it holds a function. */
const maxMs = 5_000;

/** Reads and signs objects of a storage provider. `bucketUrl` is the base URL of its objects. */
export function providerFiles(
  { client, bucket }: BucketAccess,
  bucketUrl: string,
  clock: Pick<Clock, 'now'>,
): FileStorage {
  const sign = signDownload(
    presigner({ region: client.config.region, credentials: () => client.config.credentials(), bucketUrl, clock }),
  );
  return {
    async readText(key: string): Promise<string> {
      const abortSignal = AbortSignal.timeout(maxMs);
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: key });
        const { Body } = await client.send(command, { abortSignal });
        return await readPlaylist(Body as unknown as AsyncIterable<Buffer>);
      } catch (cause) {
        throw toReadError(cause, abortSignal);
      }
    },
    sign,
  };
}

function toReadError(cause: unknown, { aborted }: AbortSignal): AppError {
  if (cause instanceof AppError) return cause;
  const failure = describeProviderFailure(cause);
  if (failure?.status === 404) return new AppError('NOT_FOUND', 'The file is no longer at the storage provider.');
  const slow = `the provider took longer than ${maxMs / 1000} s`;
  const reason = aborted ? slow : (failure?.reason ?? 'an unknown error');
  return new AppError('UNAVAILABLE', `The file could not be read: ${reason}.`, { cause: loggableCause(cause) });
}
