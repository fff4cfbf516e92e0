import type { EncodingFiles } from '../../encoding/encoding.ts';
import type { ChunkedWork } from '../plan/chunk-plan.ts';
import type { ChunkedClip } from '../plan/chunked-clips.ts';

export type TaskWork = Pick<
  ChunkedWork,
  | 'source'
  | 'format'
  | 'encoding'
  | 'chunks'
  | 'timelineOrigin'
  | 'isAssembled'
  | 'hasFinalFragments'
  | 'frameTimes'
  | 'outputs'
> & { clips?: readonly ChunkedClip[] | undefined };

/** Where a task reads and writes: paths on this disk, or URLs of a range proxy. */
export type TaskFiles = EncodingFiles & {
  /** In the order of the clips. A task needs those of `sourcesOfTask`. */
  sources: readonly string[];
  /** Whether sources and overlay are URLs of a range proxy. */
  isRemote?: boolean;
  /** Path of an encoded file: one per rendition, or one per audio track. */
  outputPath(file: number): string;
  /** Encoder threads. Left out, the encoder chooses by the number of CPUs. */
  threads?: number | undefined;
};
