import type { IncomingMessage } from 'node:http';
import { JobError } from '@media-jobs/video/errors';
import { isWebPage, pageHeadBytes } from '../../core/net/web-page.ts';
import { decodeBody, splitHead } from './content-coding.ts';
import type { RemoteFile } from './open-source.ts';
import { type ReadOptions, readBody } from './send-request.ts';

/**
 * Yields the decoded body of a response that begins at the first byte of a source.
 * @throws JobError `INPUT_NOT_MEDIA` if it is a web page, and the errors of `readBody` and `decodeBody`
 */
export async function* sourceBody(
  response: IncomingMessage,
  { url, codings, contentType }: Pick<RemoteFile, 'url' | 'codings' | 'contentType'>,
  options: Omit<ReadOptions, 'host'>,
): AsyncGenerator<Buffer> {
  const { host } = url;
  const decoded = decodeBody(readBody(response, { ...options, host }), { codings, host });
  const chunks = decoded[Symbol.asyncIterator]();
  const { head, rest } = await splitHead(chunks, pageHeadBytes);
  if (isWebPage(head, contentType)) {
    await chunks.return?.();
    const page = 'a web page (text/html), not a file';
    throw new JobError('INPUT_NOT_MEDIA', `${host} sent ${page}: it may ask for a sign-in or show a preview`);
  }
  yield* rest;
}

/** Reads the beginning of a source, and closes the connection. A failure is left to the requests that follow. */
export async function checkBeginning(...source: Parameters<typeof sourceBody>): Promise<void> {
  try {
    for await (const _ of sourceBody(...source)) break;
  } catch (error) {
    if (error instanceof JobError) throw error;
  }
}
