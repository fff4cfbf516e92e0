import type { StoredObject } from '../../../core/chunking/plan/chunk-plan.ts';
import type { OpenS3RangeProxy } from '../../../core/chunking/ports.ts';
import { JobError } from '../../../core/errors.ts';
import type { Bucket } from './bucket.ts';
import type { Disk } from './disk.ts';
import type { Invocation } from './invocation-types.ts';
import type { StoredMedia } from './media-origin.ts';

/** S3 range proxies like those of adapters/s3: a read returns the object's version, or fails. */
export function openS3RangeProxiesTo(
  bucket: Bucket,
  disk: Disk,
  { call }: Pick<Invocation, 'call'>,
): OpenS3RangeProxy {
  let opened = 0;
  return (objects, { signal }) =>
    call('openDoor', async () => {
      const failed = new AbortController();
      const name = `http://127.0.0.1/${++opened}`;
      for (const [each, object] of Object.entries(objects)) {
        lookUp(bucket, object);
        disk.mount(`${name}/${each}`, () => {
          try {
            return { ...lookUp(bucket, object), key: object.key };
          } catch (cause) {
            failed.abort(cause);
            throw cause;
          }
        });
      }
      return {
        urlOf: (each) => `${name}/${each}`,
        failure: () => failed.signal.reason,
        signal: AbortSignal.any([signal, failed.signal]),
        [Symbol.asyncDispose]: async () => undefined,
      };
    });
}

function lookUp(bucket: Bucket, { key, etag }: StoredObject): StoredMedia {
  const found = bucket.find(key);
  if (found === undefined) throw unreachable('is not there any more', false);
  if (found.etag !== etag) throw unreachable('was replaced', true);
  return found;
}

function unreachable(what: string, retryable: boolean): JobError {
  return new JobError('INPUT_UNREACHABLE', `What was stored for this job ${what}`, { retryable });
}
