import type { IncomingMessage } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import type { ByteRange } from '../../core/net/byte-range.ts';
import type { PinnedUrl } from '../../core/net/ports.ts';
import { isRange } from './download-ranges.ts';
import { followRedirects, type RequestContext, type SourceRequest } from './follow-redirects.ts';
import { HttpFailure, incompleteBody, mayRetry, progressBytes, toInputError } from './http-failure.ts';
import { type Network, systemNetwork } from './open-connection.ts';
import { maxHeldInFileMs, retryTransient, statusError } from './open-source.ts';
import type { RangeSource } from './range-proxy.ts';
import { readBody } from './send-request.ts';

/** Resumptions of one range after connections that broke off. */
const maxResumes = 5;

/** Answers of a server that no longer has the requested version, or that no longer serves ranges. */
const changedStatuses = new Set([200, 412, 416]);

/**
 * Reads ranges of one version of an input by URL. Each request goes through the guarded connection from the URL of the
 * client on, so that its redirects and addresses are checked again. Throws JobError `INPUT_UNREACHABLE` or
 * `INPUT_FORBIDDEN`: also when the server has another version by now.
 */
export function urlRangeSource(
  request: SourceRequest,
  pinned: PinnedUrl,
  network: Network = systemNetwork,
): RangeSource {
  const { idleMs, minRate } = request.limits;
  return {
    totalBytes: pinned.sizeBytes,
    async *read({ start, end }, signal) {
      const context = { request, network, signal };
      let position = start;
      let resumes = 0;
      while (position < end) {
        let isReaderSlow = false;
        const begun = position;
        const { host, response } = await openPinnedRange(context, pinned, { start: position, end });
        try {
          for await (const chunk of readBody(response, { host, idleMs, minRate, signal })) {
            position += chunk.length;
            yield chunk;
            isReaderSlow = response.errored !== null;
          }
          if (position < end) throw incompleteBody(host);
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof HttpFailure) || !mayRetry(error)) throw toInputError(error);
          // A connection may also close because the reader is slow: that is no failure of the server.
          if (!isReaderSlow && position - begun < progressBytes) resumes += 1;
          if (resumes > maxResumes) throw toInputError(error);
        }
      }
    },
  };
}

/** Requests a range of the pinned version. Retries what may succeed the next time. */
async function openPinnedRange(
  context: RequestContext,
  pinned: PinnedUrl,
  range: ByteRange,
): Promise<{ host: string; response: IncomingMessage }> {
  try {
    return await retryTransient(context, () => requestRange(context, pinned, range), {
      maxRetryAfterMs: maxHeldInFileMs,
    });
  } catch (error) {
    context.signal.throwIfAborted();
    throw toInputError(error);
  }
}

async function requestRange(
  context: RequestContext,
  { validator, sizeBytes }: PinnedUrl,
  range: ByteRange,
): Promise<{ host: string; response: IncomingMessage }> {
  const { url, response } = await followRedirects(context, {
    range: `bytes=${range.start}-${range.end - 1}`,
    'if-range': validator.value,
  });
  const { host } = url;
  const status = response.statusCode ?? 0;
  if (status === 206 && response.headers[validator.header] === validator.value && isRange(response, range, sizeBytes)) {
    return { host, response };
  }
  if (status !== 206 && !changedStatuses.has(status)) throw await statusError(host, response, context);
  response.destroy();
  const message = `${host} replaced the input while it was read, or no longer serves ranges of it; submit the job again`;
  throw new JobError('INPUT_UNREACHABLE', message, { retryable: false });
}
