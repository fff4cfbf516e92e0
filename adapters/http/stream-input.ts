import type { DownloadRequest } from '../../core/net/ports.ts';
import type { SourceRequest } from './follow-redirects.ts';
import { incompleteBody, isCut, ShortBodyFailure, tooLargeError } from './http-failure.ts';
import { systemNetwork } from './open-connection.ts';
import { openSource, sourceBody } from './open-source.ts';

/** An input that arrives. Its body throws HttpFailure or JobError, and the signal's reason after an abort. */
export type ArrivingInput = { totalBytes: number | undefined; body: AsyncGenerator<Buffer> };

export type StreamInputRequest = SourceRequest &
  Required<Pick<DownloadRequest, 'signal' | 'onProgress'>> & {
    /** Of an earlier request whose body was short: one that ends at the same byte is whole. */
    endsAt?: number | undefined;
  };

/** Requests an http or https URL once and yields what arrives, for a server that cannot resume. */
export async function streamInput(request: StreamInputRequest): Promise<ArrivingInput> {
  const { signal, limits } = request;
  const { source, response } = await openSource({ request, network: systemNetwork, signal });
  const { url, totalBytes } = source;
  const arriving = sourceBody(response, source, { ...limits, signal });
  return { totalBytes, body: counted(arriving, { request, totalBytes, host: url.host }) };
}

async function* counted(
  arriving: AsyncIterable<Buffer>,
  { request, totalBytes, host }: { request: StreamInputRequest; host: string } & Pick<ArrivingInput, 'totalBytes'>,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  try {
    for await (const chunk of arriving) {
      bytes += chunk.length;
      if (bytes > request.limits.maxBytes) throw tooLargeError(request.limits.maxBytes);
      request.onProgress({ bytes, totalBytes });
      yield chunk;
    }
    if (totalBytes !== undefined && bytes < totalBytes) throw incompleteBody(host);
  } catch (cause) {
    if (!isCut(cause) || totalBytes === undefined) throw cause;
    if (bytes !== request.endsAt)
      throw new ShortBodyFailure(host, { statedBytes: totalBytes, sentBytes: bytes, cause });
  }
}
