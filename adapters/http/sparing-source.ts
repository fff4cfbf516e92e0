import type { RangeSource } from './range-proxy.ts';

/** Of the ranges in which a source is requested until its reader has taken 3.75 MiB. The rest is one range. */
const growingBytes = [256, 512, 1_024, 2_048].map((kibibytes) => kibibytes * 1_024);
/** The head and the index of a source, which each program reads again. */
const maxKeptBytes = 16 * 1_024 * 1_024;

/**
 * A source whose host sends little that no reader takes. ffmpeg requests all bytes up to the end and leaves after some, while
 * megabytes are under way: they are requested in ranges that grow while the reader stays. The first bytes that were read are
 * kept, and requested once.
 */
export function sparingSource({ totalBytes, read }: RangeSource): RangeSource {
  const kept = keptBytes();
  return {
    totalBytes,
    async *read({ start: position, end }, signal) {
      // What ends earlier is wanted whole.
      const sizes = (end === totalBytes ? growingBytes : []).values();
      while (position < end) {
        signal.throwIfAborted();
        const found = kept.from(position);
        if (found !== undefined) {
          const bytes = found.subarray(0, end - position);
          position += bytes.length;
          yield bytes;
          continue;
        }
        const { value: size = Number.POSITIVE_INFINITY } = sizes.next();
        const until = Math.min(end, kept.startAfter(position), position + size);
        for await (const bytes of read({ start: position, end: until }, signal)) {
          kept.add(position, bytes);
          position += bytes.length;
          yield bytes;
        }
      }
    },
  };
}

/** The first bytes that were read of a file, by their places. */
function keptBytes() {
  const pieces = new Map<number, Buffer>();
  let total = 0;
  const containing = (position: number): [number, Buffer] | undefined =>
    [...pieces].find(([start, { length }]) => start < position && position < start + length);
  return {
    add(start: number, bytes: Buffer): void {
      if (total + bytes.length > maxKeptBytes) return;
      total += bytes.length;
      pieces.set(start, bytes);
    },
    from(position: number): Buffer | undefined {
      const exact = pieces.get(position);
      if (exact !== undefined) return exact;
      const [start, bytes] = containing(position) ?? [];
      return start === undefined ? undefined : bytes?.subarray(position - start);
    },
    startAfter: (position: number): number =>
      Math.min(...[...pieces.keys()].filter((start) => start > position), Number.POSITIVE_INFINITY),
  };
}
