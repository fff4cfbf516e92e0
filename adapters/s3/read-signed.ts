import { AppError } from '../../core/errors.ts';

/** A DASH manifest lists each segment of each size: 5 MB for four hours of the shortest segments in all sizes. */
const maxBytes = 8 * 1024 * 1024;
const timeoutMs = 10_000;

/**
 * The text of an object by a presigned URL of it: whether the URL is good is S3's to judge.
 * @throws AppError `FORBIDDEN`, `NOT_FOUND` or `UNAVAILABLE`; nothing of S3's own words
 */
export async function readSignedUrl(url: string): Promise<string> {
  const answer = await reach(url);
  if (!answer.ok) {
    await answer.body?.cancel();
    throw errorForStatus(answer.status);
  }
  return readText(answer);
}

async function reach(url: string): Promise<Response> {
  try {
    return await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    throw new AppError('UNAVAILABLE', 'The storage does not answer; try again shortly.', { cause });
  }
}

function errorForStatus(status: number): AppError {
  if (status === 404) return new AppError('NOT_FOUND', 'There is no such playlist.');
  // 400 is a signature that is none; 403 one that is wrong, has expired, or is for a file that is not there.
  if (status === 400 || status === 403) return new AppError('FORBIDDEN', invalidUrlMessage);
  return new AppError('UNAVAILABLE', 'The storage does not answer; try again shortly.', {
    cause: new Error(`S3 answered ${status}`),
  });
}

async function readText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error(`A playlist is larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** What the holder of a URL is told that opens nothing. */
export const invalidUrlMessage =
  'This URL was changed or has expired; read the job again for one that is good.';
