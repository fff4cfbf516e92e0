import type { ColorProfile, Curve } from '../probe/read-icc.ts';

/** Of `colorchannelmixer`. */
const maxFactor = 2;

/** Filters that convert an image with a color profile to sRGB, in 16 bits. Colors outside of sRGB are clipped. */
export function profileToSrgb(
  { curves, matrix }: ColorProfile,
  { hasAlpha }: { hasAlpha: boolean },
): string[] {
  const [red = '', green = '', blue = ''] = curves.map(decode);
  const names = ['rr', 'rg', 'rb', 'gr', 'gg', 'gb', 'br', 'bg', 'bb'];
  // The filter takes factors up to 2, and ProPhoto has larger ones: the next filter multiplies the rest.
  const scale = Math.max(1, ...matrix.map((factor) => Math.abs(factor) / maxFactor));
  const factors = names.map((name, index) => `${name}=${((matrix[index] ?? 0) / scale).toFixed(6)}`);
  const linear = `${scale.toFixed(6)}*val/maxval`;
  const encode = `maxval*if(gt(${linear},0.0031308),1.055*pow(${linear},1/2.4)-0.055,12.92*${linear})`;
  return [
    `format=${hasAlpha ? 'gbrap16le' : 'gbrp16le'}`,
    `lutrgb=r='${red}':g='${green}':b='${blue}'`,
    `colorchannelmixer=${factors.join(':')}`,
    `lutrgb=r='${encode}':g='${encode}':b='${encode}'`,
    'sidedata=mode=delete:type=ICC_PROFILE',
  ];
}

/** The expression of a curve, from values to linear light. */
function decode({ g, a, b, c, d, e, f }: Curve): string {
  const [gText, aText, bText, cText, dText, eText, fText] = [g, a, b, c, d, e, f].map((value) =>
    value.toFixed(8),
  );
  const power = `pow(max(0,${aText}*val/maxval+${bText}),${gText})+${eText}`;
  return `maxval*if(gte(val/maxval,${dText}),${power},${cText}*val/maxval+${fText})`;
}
