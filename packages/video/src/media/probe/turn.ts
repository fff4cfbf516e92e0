import * as z from 'zod';
import type { ExifOrientation } from './exif-orientation.ts';
import type { Probe, VideoStream } from './probe.ts';

/** Side data of a stream, or of a frame of H.264 or HEVC, as ffprobe prints it. */
export const turnSchema = z.object({
  rotation: z.coerce.number().optional().catch(undefined),
  displaymatrix: z.string().optional().catch(undefined),
});

type Turned = {
  side_data_list?: readonly z.output<typeof turnSchema>[] | undefined;
  tags?: { rotate?: number | undefined } | undefined;
};

const rotations: Record<ExifOrientation, VideoStream['rotation']> = { 2: 0, 3: 180, 4: 0, 5: 90, 6: 90, 7: 90, 8: 270 };

/** Adds the orientation of a still image to a probe, and the displayed size. ffmpeg itself rotates a JPEG. */
export function withExifOrientation(probe: Probe, exifOrientation: ExifOrientation | undefined): Probe {
  if (exifOrientation === undefined) return probe;
  const streams = probe.streams.map((stream) => {
    if (stream.kind !== 'video' || stream.rotation !== 0) return stream;
    const rotated = rotate(stream, rotations[exifOrientation]);
    return probe.container === 'jpeg_pipe' ? rotated : { ...rotated, exifOrientation };
  });
  return { ...probe, streams };
}

/** Normalizes degrees clockwise to a rotation that players support; 0 for any other angle. */
function toRotation(clockwise: number): VideoStream['rotation'] {
  const degrees = ((clockwise % 360) + 360) % 360;
  return degrees === 90 || degrees === 180 || degrees === 270 ? degrees : 0;
}

function rotate(video: VideoStream, rotation: VideoStream['rotation']): VideoStream {
  const { width, height } = video;
  return rotation % 180 === 0 ? { ...video, rotation } : { ...video, rotation, width: height, height: width };
}

/** How players turn the frames. The display matrix is anticlockwise, the old `rotate` tag clockwise. */
export function turnOf({
  side_data_list: data = [],
  tags,
}: Turned): Pick<VideoStream, 'rotation' | 'isMirrored' | 'needsStatedTurn'> {
  const matrix = data.find(({ rotation }) => rotation !== undefined);
  const clockwise = matrix?.rotation === undefined ? (tags?.rotate ?? 0) : -matrix.rotation;
  return {
    rotation: toRotation(clockwise),
    isMirrored: isMirrored(matrix?.displaymatrix) || undefined,
    // ffmpeg would turn the pictures inside their frames by any other angle, which players ignore.
    needsStatedTurn: clockwise % 90 !== 0 || undefined,
  };
}

/** Whether the determinant of the display matrix is negative. ffprobe prints three lines of an address and three numbers. */
function isMirrored(dump = ''): boolean {
  const [a = 0, b = 0, , c = 0, d = 0] = dump.replace(/^\d+:/gm, '').trim().split(/\s+/).map(Number);
  return a * d - b * c < 0;
}

/**
 * The stream as the orientation message of its first frame turns it (ITU-T H.264, D.2.26). ffmpeg turns the frames by it, unless
 * the container has an orientation of its own.
 */
export function withFrameTurn(video: VideoStream, frame: Turned): VideoStream {
  const { rotation, isMirrored } = turnOf(frame);
  if (video.rotation !== 0 || video.isMirrored || (rotation === 0 && !isMirrored)) return video;
  return { ...rotate(video, rotation), isMirrored, needsStatedTurn: true };
}

/**
 * Input options that state the turn as a container does, so that a copy into another one keeps it. ffmpeg flips behind the
 * rotation.
 */
export function turnOptions({ index, rotation, isMirrored, needsStatedTurn }: VideoStream): string[] {
  if (!needsStatedTurn) return [];
  const flip = rotation % 180 === 0 ? 'vflip' : 'hflip';
  return [...[`-display_rotation:${index}`, String(-rotation)], ...(isMirrored ? [`-display_${flip}:${index}`] : [])];
}
