import type { VideoStream } from '../probe/probe.ts';
import { isRgb } from './color-space.ts';

/** Where the first chroma sample is, in 1/256 of a luma sample from the first luma sample. */
type Position = { h: number; v: number };

const left: Position = { h: 0, v: 128 };

/** By ffmpeg's names. Video that states none has its chroma samples at the left. */
const positions: Record<string, Position> = {
  left,
  topleft: { h: 0, v: 0 },
  top: { h: 128, v: 0 },
  center: { h: 128, v: 128 },
};

type ChromaSource = Pick<VideoStream, 'chromaLocation' | 'pixelFormat' | 'rotation' | 'isMirrored'>;

/**
 * Options of the first scale filter of a video, each with a leading colon. ffmpeg 7 ignores the location that frames
 * state, which encoders write into their headers: it scales as if chroma samples were in the center.
 */
export function chromaOptions(video: ChromaSource): string {
  // ffmpeg reduces RGB itself before it scales, around the center.
  const input = isRgb(video) ? [] : positionOptions('in', rotatedPosition(video));
  return joinOptions([...input, ...positionOptions('out', positionOf(video))]);
}

/** Options of further scale filters, whose frames are not RGB and have the chroma location of the source. */
export function keptChromaOptions(video: ChromaSource): string {
  const position = positionOf(video);
  return joinOptions([...positionOptions('in', position), ...positionOptions('out', position)]);
}

function positionOf({ chromaLocation = 'left' }: ChromaSource): Position {
  return positions[chromaLocation] ?? left;
}

/** ffmpeg rotates frames before the filters. Their chroma samples move with the frame; the stated location does not. */
function rotatedPosition(video: ChromaSource): Position {
  const stored = positionOf(video);
  // Only of frames with half as many chroma samples in both directions.
  if (!/^yuvj?420/.test(video.pixelFormat ?? '')) return stored;
  const { h } = stored;
  const v = video.isMirrored ? 256 - stored.v : stored.v;
  if (video.rotation === 90) return { h: 256 - v, v: h };
  if (video.rotation === 180) return { h: 256 - h, v: 256 - v };
  return video.rotation === 270 ? { h: v, v: 256 - h } : { h, v };
}

/** The center is the default. ffmpeg 7.0 mistakes it, when stated, for half a sample where chroma is not subsampled. */
function positionOptions(side: 'in' | 'out', position: Position): string[] {
  return (['h', 'v'] as const).flatMap((axis) =>
    position[axis] === 128 ? [] : [`${side}_${axis}_chr_pos=${position[axis]}`],
  );
}

function joinOptions(options: readonly string[]): string {
  return options.map((option) => `:${option}`).join('');
}
