import { GetObjectCommand } from '@aws-sdk/client-s3';
import { AppError } from '../../core/errors.ts';
import type { Clock, FileStorage } from '../../core/jobs/ports.ts';
import { presigner, signDownload } from '../s3/presign.ts';
import type { BucketAccess } from '../s3/read-object.ts';
import { describeProviderFailure, loggableCause } from './provider-error.ts';

const maxTextBytes = 8 * 1024 * 1024;
/** A viewer waits for it, and it holds a function. */
const maxMs = 5_000;

/** Reads and signs objects of a storage provider. `bucketUrl` is the base URL of its objects. */
export function providerFiles(
  { client, bucket }: BucketAccess,
  bucketUrl: string,
  clock: Pick<Clock, 'now'>,
): FileStorage {
  const presign = signDownload(
    presigner({
      region: client.config.region,
      credentials: () => client.config.credentials(),
      bucketUrl,
      lifetimeSeconds: 1,
      clock,
    }),
  );
  return {
    async readText(key: string): Promise<string> {
      try {
        const command = new GetObjectCommand({ Bucket: bucket, Key: key });
        const { Body } = await client.send(command, { abortSignal: AbortSignal.timeout(maxMs) });
        const chunks: Buffer[] = [];
        let bytes = 0;
        for await (const chunk of Body as unknown as AsyncIterable<Buffer>) {
          bytes += chunk.length;
          if (bytes > maxTextBytes) throw new Error(`A playlist is larger than ${maxTextBytes} bytes`);
          chunks.push(chunk);
        }
        return Buffer.concat(chunks).toString();
      } catch (cause) {
        const failure = describeProviderFailure(cause);
        if (failure?.status === 404)
          throw new AppError('NOT_FOUND', 'The file is no longer at the storage provider.');
        throw new AppError('UNAVAILABLE', 'The storage provider does not answer; try again shortly.', {
          cause: loggableCause(cause),
        });
      }
    },
    async sign(file, lifetimeSeconds) {
      return (await presign({ ...file, lifetimeSeconds })).url;
    },
  };
}
