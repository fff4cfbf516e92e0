import * as z from 'zod';
import type { ExifOrientation } from './exif-orientation.ts';
import type { Probe, Stream, VideoStream } from './probe.ts';

/** Arguments for the EXIF orientation of a photo, which ffprobe reports as side data of the frame. */
export const orientationArguments = [
  ...['-print_format', 'json', '-read_intervals', '%+#1'],
  ...['-show_entries', 'frame_side_data=rotation'],
];

const sideDataSchema = z.object({ rotation: z.number().optional().catch(undefined) });
const answerSchema = z.object({
  frames: z.array(z.object({ side_data_list: z.array(sideDataSchema).optional() })),
});

/** ffmpeg rotates JPEG photos by their EXIF orientation when it decodes them. */
export function mayHaveExifOrientation({ container, streams: [first] }: Probe): boolean {
  return container === 'jpeg_pipe' && first?.kind === 'video' && first.rotation === 0;
}

/** Adds the orientation from ffprobe's output of `orientationArguments` to a probe, and the displayed size. */
export function withOrientation(probe: Probe, json: string): Probe {
  const [frame] = answerSchema.parse(JSON.parse(json)).frames;
  const found = frame?.side_data_list?.find(({ rotation }) => rotation !== undefined);
  const rotation = toRotation(-(found?.rotation ?? 0));
  return { ...probe, streams: probe.streams.map((stream) => rotateStream(stream, rotation)) };
}

const rotations: Record<ExifOrientation, VideoStream['rotation']> = {
  2: 0,
  3: 180,
  4: 0,
  5: 90,
  6: 90,
  7: 90,
  8: 270,
};

/** Adds the orientation of a PNG, WebP or TIFF to a probe, and the displayed size. */
export function withExifOrientation(probe: Probe, exifOrientation: ExifOrientation | undefined): Probe {
  if (exifOrientation === undefined) return probe;
  const streams = probe.streams.map((stream) => {
    const rotated = rotateStream(stream, rotations[exifOrientation]);
    return rotated.kind === 'video' ? { ...rotated, exifOrientation } : rotated;
  });
  return { ...probe, streams };
}

/** Normalizes degrees clockwise to a rotation that players support; 0 for any other angle. */
export function toRotation(clockwise: number): VideoStream['rotation'] {
  const degrees = ((clockwise % 360) + 360) % 360;
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0;
}

function rotateStream(stream: Stream, rotation: VideoStream['rotation']): Stream {
  if (stream.kind !== 'video') return stream;
  const { width, height } = stream;
  return rotation % 180 === 0 ? { ...stream, rotation } : { ...stream, rotation, width: height, height: width };
}
