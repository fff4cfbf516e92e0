import type { IncomingMessage } from 'node:http';
import type { Source } from './source.ts';
import { type DownloadContext, sendGet } from './transfer.ts';

/** Bytes from `start` up to but without `end`; without an `end`, all that follow. */
export type ByteRange = { start: number; end: number | undefined };

/** A server that does not give exactly the range asked for of exactly the file known. */
export class RangeNotServedError extends Error {
  constructor(host: string) {
    super(`${host} cannot continue a download`);
    this.name = 'RangeNotServedError';
  }
}

/**
 * Asks for a range of a source, on condition that it is still the same file. Believes the answer only if it says that
 * it is what was asked for, else throws RangeNotServedError.
 */
export async function openRange(
  source: Source,
  range: ByteRange,
  transfer: DownloadContext,
): Promise<IncomingMessage> {
  const { url, validator } = source;
  if (validator === undefined) throw new RangeNotServedError(url.host);
  const last = range.end === undefined ? '' : range.end - 1;
  const response = await sendGet(url, transfer, {
    range: `bytes=${range.start}-${last}`,
    'if-range': validator.value,
  });
  const isSameFile = response.headers[validator.header] === validator.value;
  if (response.statusCode === 206 && isSameFile && isRange(response, range, source.totalBytes))
    return response;
  response.destroy();
  throw new RangeNotServedError(url.host);
}

function isRange(
  { headers }: IncomingMessage,
  { start, end }: ByteRange,
  totalBytes: number | undefined,
): boolean {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (total === undefined || headers['content-encoding'] !== undefined) return false;
  const expectedTotal = totalBytes ?? Number(total);
  return (
    Number(first) === start && Number(last) === (end ?? expectedTotal) - 1 && Number(total) === expectedTotal
  );
}
