import type { VideoStream } from '../probe/probe.ts';
import type { ColorProfile, Curve } from '../probe/read-icc.ts';
import { hasAlpha } from './alpha.ts';
import type { ImageColorMatrix } from './color-space.ts';
import { type Filter, filter, formatFilter } from './filter.ts';

/** Of `colorchannelmixer`. */
const maxFactor = 2;

const dropProfile = filter('sidedata', 'mode=delete:type=ICC_PROFILE');

/**
 * Drops the color profile of an image that becomes pixels of another kind: viewers ignore a profile of CMYK or gray in an
 * image of RGB, or apply it wrongly. In PNG, whose matrix is `rgb`, a gray image stays gray.
 */
export function dropOtherProfile(source: VideoStream, matrix: ImageColorMatrix): Filter[] {
  const { codec, pixelFormat = '' } = source;
  // ffmpeg decodes CMYK to these formats, which the codecs have for nothing else.
  const isCmyk = (codec === 'mjpeg' && hasAlpha(source)) || (codec === 'tiff' && pixelFormat === 'rgb0');
  const isGray = /^(gray|ya\d|mono)/.test(pixelFormat);
  return isCmyk || (isGray && matrix !== 'rgb') ? [dropProfile] : [];
}

/** Filters that convert an image with a color profile to sRGB, in 16 bits. Colors outside of sRGB are clipped. */
export function profileToSrgb({ curves, matrix }: ColorProfile, { hasAlpha }: { hasAlpha: boolean }): Filter[] {
  const [red = '', green = '', blue = ''] = curves.map(decode);
  const names = ['rr', 'rg', 'rb', 'gr', 'gg', 'gb', 'br', 'bg', 'bb'];
  // The filter takes factors up to 2, and ProPhoto has larger ones: the next filter multiplies the rest.
  const scale = Math.max(1, ...matrix.map((factor) => Math.abs(factor) / maxFactor));
  const factors = names.map((name, index) => `${name}=${((matrix[index] ?? 0) / scale).toFixed(6)}`);
  const linear = `${scale.toFixed(6)}*val/maxval`;
  const encode = `maxval*if(gt(${linear},0.0031308),1.055*pow(${linear},1/2.4)-0.055,12.92*${linear})`;
  return [
    formatFilter(hasAlpha ? 'gbrap16le' : 'gbrp16le'),
    filter('lutrgb', `r='${red}':g='${green}':b='${blue}'`),
    filter('colorchannelmixer', factors.join(':')),
    filter('lutrgb', `r='${encode}':g='${encode}':b='${encode}'`),
    dropProfile,
  ];
}

/** The expression of a curve, from values to linear light. */
function decode({ g, a, b, c, d, e, f }: Curve): string {
  const [gText, aText, bText, cText, dText, eText, fText] = [g, a, b, c, d, e, f].map((value) => value.toFixed(8));
  const power = `pow(max(0,${aText}*val/maxval+${bText}),${gText})+${eText}`;
  return `maxval*if(gte(val/maxval,${dText}),${power},${cText}*val/maxval+${fText})`;
}
