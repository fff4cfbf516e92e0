import * as z from 'zod';
import { decodingSchema } from '../../media/ffmpeg/ffmpeg-output.ts';
import { storedFrameTimesSchema } from '../frame-index/frame-index.ts';

/** The file of a chunk of a stream, whose fragments are those of the finished file to the byte. */
const fragmentTableSchema = z.strictObject({
  /** `ftyp` and `moov`. */
  initBytes: z.int().min(1),
  /** Where its fragments start, behind its own index. */
  mediaOffset: z.int().min(1),
  /** RFC 6381's name, such as `avc1.640028`. */
  codec: z.string(),
  /** Of the sample description without its bit rates. */
  descriptionHash: z.string(),
  ticksPerSecond: z.int().min(1),
  /** When the video starts, in ticks of its decoding times. */
  mediaTime: z.int().min(0),
  fragments: z.array(
    z.strictObject({
      sizeBytes: z.int().min(1),
      /** How long it is shown. */
      ticks: z.int().min(1),
      frames: z.int().min(1),
      /** Up to the end of its keyframe. */
      keyframeBytes: z.int().min(1),
    }),
  ),
  /** As ffprobe reads them from the file. */
  frameTimes: storedFrameTimesSchema,
  hasCaptions: z.literal(true).optional(),
});

export type FragmentTable = z.output<typeof fragmentTableSchema>;

/** ffmpeg runs for the job's log. */
const runsSchema = z.array(
  z.strictObject({ arguments: z.array(z.string()), log: z.string(), decoding: decodingSchema.optional() }),
);

/** Figures of the files of a task. It is written last and marks the task as complete; the first result stays. */
export const chunkResultSchema = z.strictObject({
  /** The run whose files the result describes. */
  runId: z.string(),
  /** Of a video chunk, one per rendition. */
  renditions: z
    .array(
      z.strictObject({
        frames: z.int().min(0),
        extradataHash: z.string().optional(),
        /** If S3 assembles a stream from the files. */
        fragmentTable: fragmentTableSchema.optional(),
      }),
    )
    .optional(),
  /** Of audio, one per track. */
  audio: z
    .array(
      z.strictObject({
        packets: z.int().min(0),
        sizeBytes: z.int().min(0),
        startSeconds: z.number(),
        endSeconds: z.number(),
      }),
    )
    .optional(),
  measuredBytes: z.int().min(0).optional(),
  runs: runsSchema,
});

export type ChunkResult = z.output<typeof chunkResultSchema>;

/** Undefined for a text that is not a result, such as a truncated one. */
export function parseChunkResult(text: string): ChunkResult | undefined {
  try {
    return chunkResultSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Why a chunk task failed: a message for the job's owner. */
export const chunkFailureSchema = z.strictObject({
  message: z.string(),
  /** The server of the source has another version of it, or none: no attempt can continue. */
  isSourceGone: z.literal(true).optional(),
  /** The source could not be read for a while: that says nothing about the chunks. */
  isTransient: z.literal(true).optional(),
  runs: runsSchema,
});

export type ChunkFailure = z.output<typeof chunkFailureSchema>;
