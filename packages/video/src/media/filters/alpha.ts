import type { VideoStream } from '../probe/probe.ts';
import { type Filter, filter, formatFilter, measuredTogether } from './filter.ts';

/** Whether frames have transparency. GIF and PNG with a palette may. */
export function hasAlpha({ pixelFormat = '' }: VideoStream): boolean {
  return /^(pal8|ya\d|yuva|gbrap|rgba|bgra|argb|abgr)/.test(pixelFormat);
}

/** Filters that make uncompressed frames opaque whose fourth byte is unused, which ffmpeg decodes as transparency. */
export function dropUnusedByte({ codec, pixelFormat }: VideoStream): Filter[] {
  return codec === 'rawvideo' && pixelFormat === 'bgr0' ? [formatFilter('bgr0')] : [];
}

/** The decoder of VP8 or VP9 with transparency, a second stream that ffmpeg's own decoders skip; else undefined. */
export function alphaDecoder(video: VideoStream): 'libvpx' | 'libvpx-vp9' | undefined {
  if (!hasAlpha(video)) return undefined;
  if (video.codec === 'vp8') return 'libvpx';
  return video.codec === 'vp9' ? 'libvpx-vp9' : undefined;
}

/**
 * Filters that composite a transparent video on a color, such as `#ffffff`. Their result is RGB. Before scaling, which
 * would mix the color of invisible pixels into the visible edges.
 * @param bitDepth above 8, the result has 16 bits, which take several times the memory
 */
export function compositeOn(background: string, bitDepth: number): Filter[] {
  if (bitDepth > 8) return compositeDeepOn(background);
  const color = background.replace('#', '0x');
  const overlay = `split[front][back];[back]drawbox=t=fill:color=${color}:replace=1[color];[color][front]overlay=format=auto`;
  return [measuredTogether('composite', [formatFilter('rgba'), { name: 'overlay', text: overlay }])];
}

/** The overlay filter would reduce RGB to 8 bits, with bands in an output of 10. */
function compositeDeepOn(background: string): Filter[] {
  const levels = [1, 3, 5].map((start) => Number.parseInt(background.slice(start, start + 2), 16) * 257);
  const [red, green, blue] = levels;
  const merge = [
    'split=3[front][back][alpha]',
    '[alpha]alphaextract,format=gray16le,format=gbrp16le[mask]',
    `[back]format=gbrp16le,lutrgb=r=${red}:g=${green}:b=${blue}[color]`,
    '[front]format=gbrp16le[opaque]',
    '[color][opaque][mask]maskedmerge',
  ];
  const merged = { name: 'maskedmerge', text: merge.join(';') };
  return [measuredTogether('compositeDeep', [formatFilter('gbrap16le'), merged])];
}

/**
 * Filters that scale transparent frames and keep the transparency. The alpha is premultiplied meanwhile: without it,
 * invisible pixels would bleed into the visible edges.
 */
export function scaleWithAlpha({ pixelFormat = '', bitDepth }: VideoStream, scale: Filter): Filter[] {
  const isYuv = pixelFormat.startsWith('yuva');
  const isGray = pixelFormat.startsWith('ya');
  const depth = bitDepth > 8 ? '16le' : '';
  return [
    // The filter takes no other formats.
    formatFilter(`${isYuv ? 'yuva444p' : 'gbrap'}${depth}`),
    ...[filter('premultiply', 'inplace=1'), scale, filter('unpremultiply', 'inplace=1')],
    ...(isGray ? [formatFilter(depth ? 'ya16le' : 'ya8')] : []),
  ];
}
