import { PassThrough, pipeline, Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';

/** More than any response but a page of objects: 50 uploads whose keys consist of escaped characters. */
const maxResponseBytes = 512 * 1024;
/** A page of 1,000 objects, whose keys have up to 1,024 characters, encoded. */
const maxPageBytes = 4 * 1024 * 1024;
const maxResponseMs = 20_000;
/** S3 sends white space for some minutes while it completes a large upload. */
const maxCompletionMs = 5 * 60_000;

/** A response that S3 never sends. The message is for the owner of the provider. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponse';
}

/** The SDK's XML parser scans the whole document for each document type: 400 KB of them take nine seconds. */
const documentType = '<!doctype';

/**
 * Limits size and time of every response except the body of an object: the SDK collects the others in memory and parses
 * them while nothing else runs. One with a document type declaration is not parsed.
 */
export function limitResponses(client: S3Client): void {
  client.middlewareStack.add(
    (next) => async (args) => {
      const output = await next(args);
      const response = output.response as { statusCode: number; body?: unknown };
      const { request } = args as { request: { method?: string; query?: Record<string, unknown> } };
      const { method, query = {} } = request;
      const isListing = 'list-type' in query || 'uploads' in query || 'versions' in query;
      const isObject = method === 'GET' && !isListing && response.statusCode >= 200 && response.statusCode < 300;
      if (response.body instanceof Readable && !isObject) {
        const limits = {
          maxBytes: 'encoding-type' in query ? maxPageBytes : maxResponseBytes,
          maxMs: method === 'POST' && 'uploadId' in query ? maxCompletionMs : maxResponseMs,
        };
        response.body = bounded(response.body, limits);
      }
      return output;
    },
    // The innermost middleware sees the response before it is read.
    { step: 'deserialize', priority: 'low', name: 'limitResponses' },
  );
}

function bounded(body: Readable, { maxBytes, maxMs }: { maxBytes: number; maxMs: number }): Readable {
  let bytes = 0;
  let end = '';
  const limit = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      const text = end + chunk.toString('latin1').toLowerCase();
      end = text.slice(1 - documentType.length);
      if (bytes > maxBytes) done(new UnexpectedResponseError(`The response is larger than ${maxBytes} bytes`));
      else if (text.includes(documentType))
        done(new UnexpectedResponseError('The response has a document type declaration'));
      else done(null, chunk);
    },
  });
  const timer = setTimeout(
    () => limit.destroy(new UnexpectedResponseError(`The response took longer than ${maxMs / 1000} s`)),
    maxMs,
  );
  const output = new PassThrough();
  pipeline(body, limit, output, (error) => {
    clearTimeout(timer);
    if (error) output.destroy(error);
  });
  return output;
}
