import { expect, it } from 'vitest';
import { chromaOptions, keptChromaOptions } from '../../../src/media/filters/color-space.ts';
import type { VideoStream } from '../../../src/media/probe/probe.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

it.each<[string, Partial<VideoStream>, string]>([
  ['left, where nothing is stated', {}, ':in_h_chr_pos=0:out_h_chr_pos=0'],
  ['left, for a location that filters do not know', { chromaLocation: 'bottom' }, ':in_h_chr_pos=0:out_h_chr_pos=0'],
  ['top left', { chromaLocation: 'topleft' }, ':in_h_chr_pos=0:in_v_chr_pos=0:out_h_chr_pos=0:out_v_chr_pos=0'],
  ['the center, which is the default', { chromaLocation: 'center' }, ''],
  ['RGB, which has none before it is scaled', { pixelFormat: 'gbrp' }, ':out_h_chr_pos=0'],
  ['turned by 90 degrees', { rotation: 90 }, ':in_v_chr_pos=0:out_h_chr_pos=0'],
  ['turned by 180 degrees', { rotation: 180 }, ':in_h_chr_pos=256:out_h_chr_pos=0'],
  ['turned by 270 degrees', { rotation: 270 }, ':in_v_chr_pos=256:out_h_chr_pos=0'],
  [
    'mirrored at the top left',
    { chromaLocation: 'topleft', isMirrored: true },
    ':in_h_chr_pos=0:in_v_chr_pos=256:out_h_chr_pos=0:out_v_chr_pos=0',
  ],
  ['turned 4:2:2', { rotation: 90, pixelFormat: 'yuv422p' }, ':in_h_chr_pos=0:out_h_chr_pos=0'],
])('scale takes the location of the chroma samples: %s', (_, source, options) => {
  expect(chromaOptions(aVideoStream({ pixelFormat: 'yuv420p', ...source }))).toBe(options);
});

it('the location of frames that were scaled before is the stated one', () => {
  const turned = aVideoStream({ pixelFormat: 'yuv420p', rotation: 180 });
  expect(keptChromaOptions(turned)).toBe(':in_h_chr_pos=0:out_h_chr_pos=0');
});
