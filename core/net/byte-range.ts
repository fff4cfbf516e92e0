/** Bytes of a file from `start` up to but without `end`. */
export type ByteRange = { start: number; end: number };

/**
 * What a `Range` header asks of a file of so many bytes (RFC 9110, 14.1.2): one range, undefined where it asks for none
 * or is of a kind that may be left unheard, such as several at once.
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
