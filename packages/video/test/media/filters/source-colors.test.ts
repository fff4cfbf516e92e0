import { describe, expect, it } from 'vitest';
import { chainText } from '../../../src/media/filters/filter.ts';
import { videoFilters } from '../../../src/media/filters/video-filters.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

const textOf = (...args: Parameters<typeof videoFilters>) => chainText(videoFilters(...args));

const scale = { width: 320, height: 180 };
const srgb = 'setparams=color_primaries=bt709:color_trc=iec61966-2-1';
const p3 = { colorPrimaries: 'smpte432', colorTransfer: 'iec61966-2-1', colorMatrix: 'bt709' };

it.each([
  ['of a video are tagged as sRGB', {}, srgb],
  ['keep the primaries of television', { colorPrimaries: 'smpte170m' }, srgb.replace('=bt709', '=smpte170m')],
  ['of another still image keep its tags', { ...p3, framesPerSecond: undefined }, 'setsar=1'],
])('frames of an image %s', (_, stream, last) => {
  expect(textOf(aVideoStream(stream), { scale, colorMatrix: 'rgb' }).endsWith(`,${last}`)).toBe(true);
});

describe('the primaries of P3', () => {
  it.each([
    ['in YCbCr', {}, ['format=yuv444p12le', 'range=tv', 'colorspace=bt709']],
    ['of full range', { isFullRange: true as const }, ['format=yuv444p12le', 'range=pc', 'colorspace=bt709']],
    ['in RGB', { pixelFormat: 'gbrp10le' }, ['format=gbrp12le', 'range=pc', 'colorspace=gbr']],
    ['with transparency', { pixelFormat: 'yuva444p10le' }, ['format=yuva444p12le', 'range=tv', 'format=yuva444p']],
  ])('are converted in an image %s', (_, stream, expected) => {
    const target = { scale, colorMatrix: 'bt601', background: 'keep' } as const;
    const chain = textOf(aVideoStream({ ...p3, ...stream }), target);
    for (const part of [...expected, 'color_primaries=smpte432', 'zscale=p=bt709:m=170m:r=tv', srgb])
      expect(chain).toContain(part);
  });

  it('are kept in a video, and converted where several are joined', () => {
    expect(textOf(aVideoStream(p3), { scale })).toMatch(/color_primaries=smpte432[^,]*$/);
    const joined = textOf(aVideoStream(p3), { scale, toBt709: true });
    expect(joined).toContain('zscale=p=bt709:m=bt709:r=tv');
    expect(joined.match(/primaries=smpte432/g)).toHaveLength(1);
    expect(joined).toMatch(/,zscale=chromal=left$/);
  });

  it.each([
    [
      'P3',
      { colorPrimaries: 'smpte432', colorMatrix: 'bt709' },
      'color_primaries=smpte432:color_trc=smpte2084:colorspace=bt709',
    ],
    ['undeclared colors', {}, 'color_primaries=bt2020:color_trc=smpte2084:colorspace=bt2020nc'],
  ])('HDR is tone-mapped from %s', (_, stream, colors) => {
    const chain = textOf(aVideoStream({ hdrTransfer: 'pq', ...stream }), { scale });
    expect(chain).toContain(`setparams=range=tv:${colors}`);
  });
});
