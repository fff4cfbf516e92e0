import type { IncomingHttpHeaders } from 'node:http';

/** What the first answer said about a file: enough to ask for parts of the very same file later. */
export type Source = {
  /** After redirects. */
  url: URL;
  totalBytes: number | undefined;
  /** Undefined when nothing tells this version of the file from another: no part may be asked for. */
  validator: Validator | undefined;
  announcesRanges: boolean;
  /** The media type as the server says it, without parameters. */
  contentType: string | undefined;
};

/** A header whose value changes whenever the bytes of the file do. */
export type Validator = { header: 'etag' | 'last-modified'; value: string };

/** What an answer's headers say of the file behind it. */
export function sourceFromHeaders(url: URL, headers: IncomingHttpHeaders): Source {
  const length = headers['content-length'];
  return {
    url,
    totalBytes: length === undefined ? undefined : Number(length),
    validator: validatorOf(headers),
    announcesRanges: headers['accept-ranges']?.trim().toLowerCase() === 'bytes',
    contentType: /^[\w.+-]+\/[\w.+-]+/.exec(headers['content-type'] ?? '')?.[0].toLowerCase(),
  };
}

/**
 * A strong ETag; failing that a modification date at least a second before the answer's own date, since a file can
 * change twice within the second that such a date can tell (RFC 9110, 8.8.2.2).
 */
function validatorOf(headers: IncomingHttpHeaders): Validator | undefined {
  const { etag, 'last-modified': modified, date } = headers;
  if (etag?.startsWith('"')) return { header: 'etag', value: etag };
  const agedMs = Date.parse(date ?? '') - Date.parse(modified ?? '');
  return modified !== undefined && agedMs >= 1_000 ? { header: 'last-modified', value: modified } : undefined;
}
