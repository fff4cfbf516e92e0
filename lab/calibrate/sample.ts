import type { Preset, VideoCodec } from '@media-jobs/video/media';
import { videoCodecArguments } from '@media-jobs/video/media';
import type { Machine } from './machine.ts';
import { encode } from './measure.ts';
import type { SourceFile } from './source-file.ts';

/** An encode of a clip of `seconds`. `megapixels` are those of all frames, `density` the bits per pixel of the source. */
export type Sample = {
  crf: number;
  seconds: number;
  density: number;
  megapixels: number;
  frameMegapixels: number;
  framesPerSecond: number;
  bitsPerPixel: number;
  encodeSeconds: number;
};

/** ffmpeg's names of the encoders. */
export const encoderNames: Record<VideoCodec, string> = {
  h264: 'libx264',
  h265: 'libx265',
  vp9: 'libvpx-vp9',
  av1: 'libsvtav1',
};

/** One encode of a video. `decode` are the seconds of its decoding. */
export async function sample(
  machine: Machine,
  { file, decode }: { file: SourceFile; decode: number },
  { codec, crf, preset }: { codec: VideoCodec; crf: number; preset?: Preset },
): Promise<Sample> {
  const args = videoCodecArguments(codec, { format: 'mkv', quality: { crf }, size: file.size, preset });
  const { cpuSeconds, megabits } = await encode(machine, file.path, args);
  return {
    crf,
    seconds: file.seconds,
    density: file.bitsPerPixel,
    megapixels: file.megapixels,
    frameMegapixels: file.megapixels / file.frames,
    framesPerSecond: file.framesPerSecond,
    bitsPerPixel: megabits / file.megapixels,
    encodeSeconds: Math.max(1e-3, cpuSeconds - decode),
  };
}
