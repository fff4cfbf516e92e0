import type { StoredObject } from '@media-jobs/video/chunking';
import { JobError } from '@media-jobs/video/errors';
import type { OpenRangeProxy } from '../../../core/jobs/chunked-ports.ts';
import { inputUrls } from '../../../core/jobs/request-inputs.ts';
import type { Bucket } from './bucket.ts';
import type { Disk } from './disk.ts';
import type { Invocation } from './invocation-types.ts';
import { aSource, movieOf, parseInputUrl, type StoredMedia } from './media-origin.ts';

/** range proxies like those of adapters/s3: a read returns the object's version, or fails. */
export function openRangeProxiesTo(
  bucket: Bucket,
  disk: Disk,
  { call, app }: Pick<Invocation, 'call' | 'app'>,
): OpenRangeProxy {
  let opened = 0;
  return (objects, { job, signal }) =>
    call('openRangeProxy', async () => {
      const failed = new AbortController();
      const name = `http://127.0.0.1/${++opened}`;
      for (const [each, object] of Object.entries(objects)) {
        const read =
          'key' in object
            ? () => ({ ...lookUp(bucket, object), key: object.key })
            : () => readRemote(inputUrls(job.request)[object.input] ?? '', app);
        read();
        disk.mount(`${name}/${each}`, () => {
          try {
            return read();
          } catch (cause) {
            failed.abort(cause);
            throw cause;
          }
        });
      }
      return {
        urlOf: (each) => `${name}/${each}`,
        readAt: async (each, offset, length) => {
          const { made } = disk.read(`${name}/${each}`);
          if (made.kind !== 'chunk') throw new Error(`The simulation has no bytes of ${made.kind}`);
          return movieOf(made).subarray(offset, offset + length);
        },
        failure: () => failed.signal.reason,
        signal: AbortSignal.any([signal, failed.signal]),
        [Symbol.asyncDispose]: async () => undefined,
      };
    });
}

function readRemote(url: string, app: string): StoredMedia {
  if (parseInputUrl(url).kind === 'replaced' && app === 'encode-chunk') throw unreachable('was replaced', false);
  return aSource(url);
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
