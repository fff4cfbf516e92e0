import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Size } from '@media-jobs/video/media';
import { sceneFilters } from '../parallel/scene-filters.ts';

/** Video encoders of generated sources, with the arguments for a file of good quality that is written quickly. */
export const sourceEncoders = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p'],
  h264TenBit: ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21', '-pix_fmt', 'yuv420p10le'],
  hevc: ['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '24', '-pix_fmt', 'yuv420p'],
  hevcHdr: [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '22', '-pix_fmt', 'yuv420p10le'],
    ...['-x265-params', 'colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc'],
  ],
  vp9: ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-crf', '30', '-b:v', '0'],
  av1: ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '35', '-pix_fmt', 'yuv420p10le'],
  mpeg2: ['-c:v', 'mpeg2video', '-q:v', '4', '-pix_fmt', 'yuv420p'],
  mpeg4: ['-c:v', 'mpeg4', '-q:v', '4', '-pix_fmt', 'yuv420p'],
  prores: ['-c:v', 'prores_ks', '-profile:v', '2', '-pix_fmt', 'yuv422p10le'],
  interlaced: [
    ...['-flags', '+ilme+ildct', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21'],
    ...['-pix_fmt', 'yuv420p', '-x264-params', 'tff=1', '-field_order', 'tt'],
  ],
} as const satisfies Record<string, readonly string[]>;

/**
 * What a generated video shows. `scene`: a textured surface with moving objects, `grain` its noise from 0 to 30. `screen`: flat
 * areas with sharp edges. `fractal`: details that grow from frame to frame.
 */
export type Content = { kind: 'scene'; number: number; grain: number } | { kind: 'screen' } | { kind: 'fractal' };

export type GeneratedSource = {
  content: Content;
  size: Size;
  framesPerSecond: number;
  seconds: number;
  encoder: keyof typeof sourceEncoders;
  /** Replaces options of the encoder, such as its quality. */
  options?: readonly string[];
};

/** Makes a video without audio by ffmpeg's own generators, in Matroska. */
export async function generateSource(ffmpeg: string, path: string, source: GeneratedSource): Promise<void> {
  const { content, size, framesPerSecond, seconds, encoder, options = [] } = source;
  await promisify(execFile)(ffmpeg, [
    ...['-v', 'error', '-nostdin', '-y', '-filter_complex', `${graphOf(content, source)}[out]`, '-map', '[out]'],
    ...['-r', String(framesPerSecond), '-t', String(seconds), '-s', `${size.width}x${size.height}`],
    ...['-g', '50', ...sourceEncoders[encoder], ...options, path],
  ]);
}

function graphOf(
  content: Content,
  { size, framesPerSecond, seconds }: Pick<GeneratedSource, 'size' | 'framesPerSecond' | 'seconds'>,
): string {
  const options = `size=${size.width}x${size.height}:rate=${framesPerSecond}`;
  if (content.kind === 'screen') return `testsrc2=${options}`;
  if (content.kind === 'fractal') return `mandelbrot=${options}:end_scale=0.02,format=yuv420p`;
  const { number, grain } = content;
  const shot = sceneFilters('shot', { number, seconds: seconds + 1, pixels: size });
  const noise = grain === 0 ? 'null' : `noise=alls=${grain}:allf=t`;
  return `${shot};[shot]${noise},setpts=N/${framesPerSecond}/TB,format=yuv420p`;
}
