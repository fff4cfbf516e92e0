import type { S3RangeProxy } from '../../core/chunking/ports.ts';
import { serveRange } from './answer-range.ts';
import { headObject, type ObjectRef, type ObjectVersion, objectMissingMessage } from './look-up-object.ts';
import { listenOnLoopback } from './loopback-server.ts';
import type { BucketAccess, ObjectRange } from './open-object.ts';
import { toReadError } from './read-error.ts';
import { readObject } from './read-object.ts';

export type S3RangeProxyRequest = {
  /** What may be read, by names of the caller's. */
  objects: Readonly<Record<string, ObjectRef>>;
  /** Part of every address and in no way to be guessed: it is good on this machine while the door is open. */
  token: string;
  /** Closes the door. */
  signal: AbortSignal;
};

export type RunningS3RangeProxy = S3RangeProxy & {
  /** How often parts were asked for, and how much S3 sent. */
  traffic(): { requests: number; bytes: number };
  /** Ends all reading, and resolves when nothing goes on any more. */
  close(): Promise<void>;
};

/**
 * Opens a door to objects on the loopback interface: ffmpeg is told an address of this machine, and no signature, key
 * or bucket. Each object stays the version that it is now. Throws JobError `INPUT_UNREACHABLE` where one is not there,
 * or not the version that is meant.
 */
export async function startS3RangeProxy(
  place: BucketAccess,
  { objects, token, signal }: S3RangeProxyRequest,
): Promise<RunningS3RangeProxy> {
  const pathOf = (name: string) => `/${token}/${encodeURIComponent(name)}`;
  const found = Object.entries(objects).map(async ([name, object]) => {
    return [pathOf(name), await headObject(place, object, signal)] as const;
  });
  const known = new Map<string, ObjectVersion>(await Promise.all(found));
  const { read, failed, closed, traffic } = reader(place);
  const server = await listenOnLoopback((request, response) => {
    const object = known.get(request.url ?? '');
    return serveRange(request, response, { object, read });
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closed.abort();
    closing ??= server.close();
    return closing;
  };
  signal.addEventListener('abort', close, { once: true, signal: closed.signal });
  if (signal.aborted) await close();
  return {
    urlOf(name) {
      if (Object.hasOwn(objects, name)) return `${server.origin}${pathOf(name)}`;
      throw new RangeError(`There is no ${name} behind this door`);
    },
    failure: () => failed.signal.reason,
    signal: AbortSignal.any([signal, failed.signal]),
    traffic: () => ({ ...traffic }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Reads for all requests of one door. The first failure is that of the door: nothing is read after it. */
function reader(place: BucketAccess) {
  const [failed, closed] = [new AbortController(), new AbortController()];
  const traffic = { requests: 0, bytes: 0 };
  async function* read(part: ObjectRange, gone: AbortSignal): AsyncGenerator<Buffer> {
    const signal = AbortSignal.any([failed.signal, closed.signal, gone]);
    traffic.requests += 1;
    try {
      for await (const piece of readObject(place, part, { signal })) {
        traffic.bytes += piece.length;
        yield piece;
      }
    } catch (error) {
      if (!signal.aborted) failed.abort(toReadError(error, objectMissingMessage));
      throw error;
    }
  }
  return { read, failed, closed, traffic };
}
