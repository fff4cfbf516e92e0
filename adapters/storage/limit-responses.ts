import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** More than the largest listing that the service requests. */
const maxResponseBytes = 2 * 1024 * 1024;
const maxResponseMs = 20_000;
/** S3 sends white space for some minutes while it completes a large upload. */
const maxCompletionMs = 5 * 60_000;

/** A response that S3 never sends. The message is for the owner of the provider. */
export class OversizedResponseError extends Error {
  override readonly name = 'OversizedResponse';
}

type Exchange = { request: { method?: string; query?: Record<string, unknown> }; status: number };

/** Limits size and time of every response except the body of an object: the SDK collects the others in memory. */
export function limitResponses(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      const response = output.response as { statusCode: number; body?: unknown };
      const { request } = args as { request: Exchange['request'] };
      if (response.body instanceof Readable && !isObject({ request, status: response.statusCode })) {
        response.body = bounded(response.body, isCompletion(request) ? maxCompletionMs : maxResponseMs);
      }
      return output;
    },
    // The innermost middleware sees the response before it is read.
    { step: 'deserialize', priority: 'low', name: 'limitResponses' },
  );
}

/** Whether the body of a response is that of an object. Listings have query parameters. */
function isObject({ request: { method, query = {} }, status }: Exchange): boolean {
  const isListing = 'list-type' in query || 'uploads' in query;
  return method === 'GET' && !isListing && status >= 200 && status < 300;
}

function isCompletion({ method, query = {} }: Exchange['request']): boolean {
  return method === 'POST' && 'uploadId' in query;
}

function bounded(body: Readable, maxMs: number): Readable {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes <= maxResponseBytes) done(null, chunk);
      else done(new OversizedResponseError(`The response is larger than ${maxResponseBytes} bytes`));
    },
  });
  const timer = setTimeout(
    () => limit.destroy(new OversizedResponseError(`The response took longer than ${maxMs / 1000} s`)),
    maxMs,
  );
  const output = new PassThrough();
  pipeline(body, limit, output, (error) => {
    clearTimeout(timer);
    if (error) output.destroy(error);
  });
  return output;
}
