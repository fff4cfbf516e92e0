import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seededRandom } from '@media-jobs/testing/random';
import type { Size } from '@media-jobs/video/media';
import { deadLeaves } from './dead-leaves.ts';

const canvas: Size = { width: 1920, height: 1080 };
const framesPerSecond = 25;

/** A quadrangle of the still, whose corners move by parts of a pixel. `on` counts frames. */
function moving({ left, top, right, bottom }: Record<'left' | 'top' | 'right' | 'bottom', string>): string {
  const corners = [left, top, right, top, left, bottom, right, bottom];
  const options = corners.map((value, index) => `${index % 2 ? 'y' : 'x'}${index >> 1}=${value}`);
  return ['perspective=', [...options, 'eval=frame', 'interpolation=cubic'].join(':')].join('');
}

/** Filters from the still to the frames of each clip. `loop` repeats a frame. */
const motions = {
  /** A slow pan, as of a camera on a tripod. */
  pan: (loop: string) => {
    const [x, y] = ['2.3*on', '40+0.7*on'];
    return [loop, moving({ left: x, top: y, right: `1600+${x}`, bottom: `900+${y}` })].join(',');
  },
  /** A zoom with the shake of a hand. */
  zoom: (loop: string) => {
    const [x, y] = ['4*sin(on/3)', '3*sin(on/4)'];
    const sides = {
      left: `3*on+${x}`,
      top: `1.7*on+${y}`,
      right: `1920-3*on+${x}`,
      bottom: `1080-1.7*on+${y}`,
    };
    return [loop, moving(sides)].join(',');
  },
  /** A background out of focus, and an object in focus that crosses it. */
  focus: (loop: string) => {
    const ellipse = "lum='p(X,Y)':cb='p(X,Y)':cr='p(X,Y)':a='255*lt(hypot((X-250)/250,(Y-350)/350),1)'";
    return [
      'split[far][near]',
      `[near]crop=500:700:200:100,format=yuva444p,geq=${ellipse},${loop}[object]`,
      `[far]gblur=sigma=5,${loop}[soft]`,
      '[soft][object]overlay=x=100+7.5*n:y=200+20*sin(n/8)',
    ].join(';');
  },
} as const;

export type GeneratedClip = keyof typeof motions;

export const generatedClips = Object.keys(motions) as GeneratedClip[];

/** Writes the still image that the clips show, to a file of a directory, and returns its path. */
export async function generateStill(directory: string): Promise<string> {
  const path = join(directory, 'leaves.rgb');
  await writeFile(path, deadLeaves(canvas, seededRandom(23).next));
  return path;
}

/** Arguments of ffmpeg that make the frames of a clip, of the given size, with the grain of a camera. */
export function generatedClipArguments(
  clip: GeneratedClip,
  { still, seconds, size: { width, height } }: { still: string; seconds: number; size: Size },
): string[] {
  const frames = Math.round(seconds * framesPerSecond);
  const filters = [
    motions[clip](`loop=loop=${frames}:size=1:start=0`),
    `scale=${width}:${height}:flags=bicubic:out_color_matrix=bt709`,
    'noise=alls=3:all_seed=23:allf=t',
    `setpts=N/${framesPerSecond}/TB`,
    'format=yuv420p',
    'setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
  ];
  return [
    ...['-f', 'rawvideo', '-pixel_format', 'rgb24', '-video_size', `${canvas.width}x${canvas.height}`],
    ...['-framerate', String(framesPerSecond), '-i', still],
    ...['-filter_complex', filters.join(','), '-frames:v', String(frames)],
  ];
}
