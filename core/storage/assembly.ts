/** S3 rejects a smaller part, unless it is the last (Amazon S3 User Guide, "Multipart upload limits"). */
export const minPartBytes = 5 * 1024 * 1024;

/**
 * S3 would copy 5 GiB as one part, but may be silent meanwhile, and the client closes a connection that is silent for 20 s.
 * Of 10,000 parts this size is far more than the chunks of a job have.
 */
const maxCopiedBytes = 256 * 1024 ** 2;

/** Bytes of one version of an object, from `start` up to but excluding `end`. */
export type StoredRange = { key: string; etag: string; start: number; end: number };

export type AssembledRange = { bytes: Uint8Array } | StoredRange;

/** A part that S3 copies from another object, or one whose ranges are read and uploaded. */
export type AssembledPart = { copied: StoredRange } | { uploaded: readonly AssembledRange[] };

/**
 * Divides an object into the parts of a multipart upload, so that S3 itself copies as much as it may. What is smaller
 * than a part is uploaded together with its neighbours: at most 10 MiB for each range that is copied or uploaded.
 */
export function assemblyParts(ranges: readonly AssembledRange[]): AssembledPart[] {
  const parts: AssembledPart[] = [];
  let carried: AssembledRange[] = [];
  const flush = () => {
    if (carried.length > 0) parts.push({ uploaded: carried });
    carried = [];
  };
  for (const range of ranges) {
    if ('bytes' in range) {
      carried.push(range);
      continue;
    }
    // As many bytes as complete the part before.
    const missing = carried.length === 0 ? 0 : Math.max(0, minPartBytes - sizeOf(carried));
    if (sizeOf([range]) - missing >= minPartBytes) {
      const split = range.start + missing;
      if (missing > 0) carried.push({ ...range, end: split });
      flush();
      parts.push(...copies({ ...range, start: split }));
      continue;
    }
    if (sizeOf(carried) >= minPartBytes) flush();
    carried.push(range);
  }
  flush();
  return parts;
}

/** One copy, or several of equal size: none of them is too small. */
function copies(range: StoredRange): AssembledPart[] {
  const count = Math.ceil(sizeOf([range]) / maxCopiedBytes);
  const boundary = (number: number) => range.start + Math.floor((number * sizeOf([range])) / count);
  return Array.from({ length: count }, (_, number) => ({
    copied: { ...range, start: boundary(number), end: boundary(number + 1) },
  }));
}

export function sizeOf(ranges: readonly AssembledRange[]): number {
  return ranges.reduce((sum, range) => sum + ('bytes' in range ? range.bytes.length : range.end - range.start), 0);
}
