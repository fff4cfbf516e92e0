import { expect, it } from 'vitest';
import { dropReservedMatrix } from '../../../src/media/filters/color-space.ts';
import { chainText } from '../../../src/media/filters/filter.ts';
import { videoFilters } from '../../../src/media/filters/video-filters.ts';
import { aVideoStream } from '../../builders/media/a-probe.ts';

const scale = { width: 320, height: 180 };
const reserved = { colorMatrix: 'reserved', width: 1920, height: 1080 };

it('a reserved color matrix is rewritten in the headers of the main video, and HD is taken as BT.709', () => {
  const video = aVideoStream({ ...reserved, index: 2, codec: 'hevc' });
  expect(dropReservedMatrix(video)).toEqual(['-bsf:2', 'hevc_metadata=matrix_coefficients=2']);
  expect(chainText(videoFilters(video, { scale }))).toContain('setparams=colorspace=bt709');
});

it('a codec whose headers no filter rewrites is rejected with it', () => {
  const video = aVideoStream({ ...reserved, codec: 'prores' });
  expect(dropReservedMatrix(video)).toEqual([]);
  expect(() => videoFilters(video, { scale })).toThrow('found reserved');
});

it('another color matrix is decoded as it is declared', () => {
  expect(dropReservedMatrix(aVideoStream({ colorMatrix: 'bt709' }))).toEqual([]);
});
