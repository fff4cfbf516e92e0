import { expect, it } from 'vitest';
import { profileToSrgb } from '../../../src/media/filters/color-profile.ts';
import { chainText, formatFilter } from '../../../src/media/filters/filter.ts';
import { readIccProfile } from '../../../src/media/probe/read-icc.ts';
import { bareFfmpegOutput } from '../../builders/media/bare-ffmpeg.ts';
import { listedCurve, matrixProfile } from '../../builders/media/icc-profile.ts';

const [proPhotoRed, proPhotoGreen, proPhotoBlue] = [
  [0.79767, 0.28804, 0],
  [0.13519, 0.71187, 0],
  [0.03134, 0.00009, 0.82491],
] as const;
const proPhoto = [proPhotoRed, proPhotoGreen, proPhotoBlue] as const;
const sRgb = [
  [0.43607, 0.22249, 0.01392],
  [0.38515, 0.71687, 0.09708],
  [0.14307, 0.06061, 0.7141],
] as const;
const exponent = (value: number) => listedCurve(Math.round(256 * value));

it.each([
  ['ProPhoto', matrixProfile(proPhoto, exponent(1.8)), [150, 100, 80], [205, 105, 94]],
  ['gray in ProPhoto', matrixProfile(proPhoto, exponent(1.8)), [128, 128, 128], [147, 147, 147]],
  ['a list of 0 and 1, which is linear', matrixProfile(sRgb, listedCurve(0, 65_535)), [55, 55, 55], [128, 128, 128]],
  ['a list of three values', matrixProfile(sRgb, listedCurve(0, 14_264, 65_535)), [186, 186, 186], [188, 188, 188]],
])('%s is converted to sRGB', async (_, profile, from, to) => {
  const colors = readIccProfile(profile);
  if (colors === undefined) throw new Error('Expected a profile that needs a conversion');
  const hex = Buffer.from(from).toString('hex');
  const filters = chainText([...profileToSrgb(colors, { hasAlpha: false }), formatFilter('rgb24')]);
  const source = ['-f', 'lavfi', '-i', `color=0x${hex}:size=16x16,format=rgb24`];
  const frame = await bareFfmpegOutput([...source, '-frames:v', '1', '-vf', filters, '-f', 'rawvideo', '-']);
  for (const [index, value] of to.entries()) expect(Math.abs((frame[index] ?? 0) - value)).toBeLessThan(3);
});
