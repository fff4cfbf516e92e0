import type { ImageColorMatrix } from '../filters/color-space.ts';

/** ffmpeg's encoder arguments and ffprobe's codec name for each image format. */
const encoders = {
  jpg: { codec: 'mjpeg', arguments: ['-c:v', 'mjpeg', '-q:v', '3', '-pix_fmt', 'yuvj420p'] },
  png: { codec: 'png', arguments: ['-c:v', 'png'] },
  webp: { codec: 'webp', arguments: ['-c:v', 'libwebp', '-quality', '85'] },
  avif: {
    codec: 'av1',
    // The transparency is a stream of its own, which stays lossless.
    arguments: ['-c:v', 'libaom-av1', '-still-picture', '1', '-cpu-used', '6', '-crf:v:0', '24', '-crf:v:1', '0'],
  },
} as const;

export type ImageFormat = keyof typeof encoders;

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

/** Whether ffmpeg writes the ICC profile of the source into the format. */
export function keepsColorProfile(format: ImageFormat): boolean {
  return format === 'jpg' || format === 'png';
}

export function probedImageCodec(format: ImageFormat): string {
  return encoders[format].codec;
}
