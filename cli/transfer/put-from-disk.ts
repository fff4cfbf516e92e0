import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { ApiError } from '../../client/api-error.ts';
import type { RangePut } from '../../client/upload-file.ts';
import { CliError } from '../cli-error.ts';

type Put = RangePut & { path: string };

/**
 * PUTs a range of a file to a signed URL, read from the disk as it goes out, and gives the ETag of what was stored.
 * @throws ApiError where the storage refuses or cannot be reached; CliError `file` where the file has changed; the
 *   error of the disk; the signal's reason where it aborts
 */
export async function putFromDisk({ path, url, start, end, signal, onProgress }: Put): Promise<string> {
  const reading: { error?: unknown } = {};
  async function* body() {
    let sent = 0;
    try {
      // The range's own end is exclusive.
      for await (const chunk of createReadStream(path, { start, end: end - 1 })) {
        yield chunk;
        sent += chunk.length;
        onProgress(sent);
      }
    } catch (error) {
      reading.error = error;
      throw error;
    }
  }
  const headers = { 'content-length': String(end - start) };
  const answer = await fetch(url, { method: 'PUT', headers, body: body(), duplex: 'half', signal }).catch(
    (error: Error) => {
      if (signal.aborted) throw signal.reason;
      throw reading.error ?? whyNotSent(error, path);
    },
  );
  await answer.body?.cancel();
  if (answer.ok) return answer.headers.get('etag') ?? '';
  const { status } = answer;
  const message = `The storage refused ${basename(path)} (${status}).`;
  throw new ApiError({ status, code: `HTTP_${status}`, message, retryable: status >= 500 });
}

function whyNotSent(error: Error, path: string): Error {
  const { code } = (error.cause ?? {}) as { code?: string };
  if (code === 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH') {
    return new CliError('file', `${basename(path)} changed while it was uploaded.`, { cause: error });
  }
  const message = 'The storage could not be reached.';
  return new ApiError({ status: 0, code: 'UNREACHABLE', message, retryable: true, cause: error });
}
