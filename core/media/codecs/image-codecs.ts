import type { ImageColorMatrix } from '../filters/color-space.ts';

/** ffmpeg's encoder arguments and ffprobe's codec name for each image format. */
const encoders = {
  jpg: { codec: 'mjpeg', arguments: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] },
  png: { codec: 'png', arguments: ['-c:v', 'png'] },
  webp: { codec: 'webp', arguments: ['-c:v', 'libwebp', '-quality', '85'] },
} as const;

export type ImageFormat = keyof typeof encoders;

/** Arguments that encode one image. */
export function imageCodecArguments(format: ImageFormat): string[] {
  return [...encoders[format].arguments];
}

/** Color matrix and transparency of the format, as part of a frame transform. `background` is for those without. */
export function imageColors(
  format: ImageFormat,
  background?: string,
): { colorMatrix: ImageColorMatrix; background?: string } {
  if (format === 'jpg') return { colorMatrix: 'bt601', ...(background && { background }) };
  return { colorMatrix: format === 'png' ? 'rgb' : 'bt601', background: 'keep' };
}

/** ffprobe's codec name for a finished image. */
export function probedImageCodec(format: ImageFormat): string {
  return encoders[format].codec;
}
