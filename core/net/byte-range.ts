/** A range of bytes: `start` inclusive, `end` exclusive. */
export type ByteRange = { start: number; end: number };

/**
 * Parses a `Range` header for a file of `totalBytes` (RFC 9110 section 14.1.2). Undefined without a range, and for kinds
 * that a server may ignore, such as several ranges.
 */
export function parseByteRange(
  header: string | undefined,
  totalBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined) return undefined;
  const [start, end] = [Number(first), last === '' ? totalBytes : Number(last) + 1];
  if (end <= start && last !== '') return undefined;
  return start < totalBytes ? { start, end: Math.min(end, totalBytes) } : 'unsatisfiable';
}
