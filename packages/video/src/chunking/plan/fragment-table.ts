import * as z from 'zod';
import { storedFrameTimesSchema } from '../frame-index/frame-index.ts';

/** The file of a chunk of a stream, whose fragments are those of the finished file to the byte. */
export const fragmentTableSchema = z.strictObject({
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
