import * as z from 'zod';
import type { Probe, Stream, VideoStream } from './probe.ts';

/** What ffprobe is asked of a photo: cameras note how it was held in its EXIF data, which belongs to the frame. */
export const orientationArguments = [
  ...['-print_format', 'json', '-read_intervals', '%+#1'],
  ...['-show_entries', 'frame_side_data=rotation'],
];

const turned = z.object({ rotation: z.number().optional().catch(undefined) });
const answerSchema = z.object({ frames: z.array(z.object({ side_data_list: z.array(turned).optional() })) });

/** Whether its orientation is asked for: ffmpeg turns photos by it as it decodes them. */
export function mayHaveExifOrientation({ container, streams: [first] }: Probe): boolean {
  return container === 'jpeg_pipe' && first?.kind === 'video' && first.rotation === 0;
}

/** The same probe with the orientation of ffprobe's answer to `orientationArguments`, and the size as displayed. */
export function withOrientation(probe: Probe, json: string): Probe {
  const [frame] = answerSchema.parse(JSON.parse(json)).frames;
  const found = frame?.side_data_list?.find(({ rotation }) => rotation !== undefined);
  const rotation = toRotation(-(found?.rotation ?? 0));
  return { ...probe, streams: probe.streams.map((stream) => turn(stream, rotation)) };
}

/** Degrees clockwise as one of the turns that players make; 0 for any other angle. */
export function toRotation(clockwise: number): VideoStream['rotation'] {
  const degrees = ((clockwise % 360) + 360) % 360;
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0;
}

function turn(stream: Stream, rotation: VideoStream['rotation']): Stream {
  if (stream.kind !== 'video') return stream;
  const { width, height } = stream;
  return rotation % 180 === 0
    ? { ...stream, rotation }
    : { ...stream, rotation, width: height, height: width };
}
