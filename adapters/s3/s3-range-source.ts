import type { RangeSource } from '../http/range-proxy.ts';
import {
  type BucketAccess,
  headObject,
  type ObjectRef,
  objectMissingMessage,
  readObject,
  toReadError,
} from './read-object.ts';

/**
 * Pins an object to its current version and reads ranges of it. Throws JobError `INPUT_UNREACHABLE` if it, or its
 * required version, is missing.
 *
 * @param toError converts the errors of the bucket
 */
export async function s3RangeSource(
  access: BucketAccess,
  object: ObjectRef,
  { signal, toError = (cause) => cause }: { signal: AbortSignal; toError?: (cause: unknown) => unknown },
): Promise<RangeSource> {
  const { key, etag, totalBytes } = await headObject(access, object, signal).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw toError(cause);
  });
  return {
    totalBytes,
    async *read({ start, end }, reading) {
      try {
        yield* readObject(access, { key, etag, start, end }, { signal: reading });
      } catch (cause) {
        throw toError(toReadError(cause, objectMissingMessage));
      }
    },
  };
}
