import type { IncomingMessage, ServerResponse } from 'node:http';

export type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Bytes from `start` up to but excluding `end`. */
export type Range = { start: number; end: number };

/** The range of a request. */
export function rangeOf(request: IncomingMessage, size: number): Range | undefined {
  const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  if (start === undefined) return undefined;
  return { start: Number(start), end: last ? Number(last) + 1 : size };
}

/** Writes the response head of a correct file server and returns the bytes that should follow. */
export function answerHead(
  { request, response }: Exchange,
  file: Buffer,
  headers: Record<string, string> = { etag: '"v1"' },
): Range {
  const range = request.headers['if-range'] === headers.etag ? rangeOf(request, file.length) : undefined;
  const { start, end } = range ?? { start: 0, end: file.length };
  response.writeHead(range === undefined ? 200 : 206, {
    'content-length': end - start,
    'accept-ranges': 'bytes',
    ...(range !== undefined && { 'content-range': `bytes ${start}-${end - 1}/${file.length}` }),
    ...headers,
  });
  return { start, end };
}
