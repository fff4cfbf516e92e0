import type { ImageColorMatrix } from '../filters/color-space.ts';

/** ffmpeg's encoder arguments and the codec's probed name, for each image format. */
const encoders = {
  jpg: { codec: 'mjpeg', arguments: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] },
  png: { codec: 'png', arguments: ['-c:v', 'png'] },
  webp: { codec: 'webp', arguments: ['-c:v', 'libwebp', '-quality', '85'] },
} as const;

/** The formats that hold a still picture. */
export type ImageFormat = keyof typeof encoders;

/** Arguments that encode one still picture. */
export function imageCodecArguments(format: ImageFormat): string[] {
  return [...encoders[format].arguments];
}

/** How the format holds colours, as a part of what is done to a picture. */
export function imageColorMatrix(format: ImageFormat): { colorMatrix: ImageColorMatrix } {
  return { colorMatrix: format === 'png' ? 'rgb' : 'bt601' };
}

/** What ffprobe calls the codec of a finished image. */
export function probedImageCodec(format: ImageFormat): string {
  return encoders[format].codec;
}
