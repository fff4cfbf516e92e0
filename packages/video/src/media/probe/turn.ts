import * as z from 'zod';
import type { VideoStream } from './probe.ts';
import { toRotation } from './read-orientation.ts';

/** Side data of a stream, or of a frame of H.264 or HEVC, as ffprobe prints it. */
export const turnSchema = z.object({
  rotation: z.coerce.number().optional().catch(undefined),
  displaymatrix: z.string().optional().catch(undefined),
});

type Turned = {
  side_data_list?: readonly z.output<typeof turnSchema>[] | undefined;
  tags?: { rotate?: number | undefined } | undefined;
};

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
  const isUpright = rotation === 180 || rotation === 0;
  const { width, height } = video;
  const size = isUpright ? {} : { width: height, height: width };
  return { ...video, ...size, rotation, isMirrored, needsStatedTurn: true };
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
