import { describe, expect, it } from 'vitest';
import type { CostTable } from '../../src/cost-model/cost-table.ts';
import { chainCost, graphCost, megapixelsOf, type VideoFlow } from '../../src/cost-model/filter-cost.ts';
import {
  type Filter,
  filter,
  firstFrames,
  formatFilter,
  graphText,
  measuredTogether,
  trimSeconds,
} from '../../src/media/filters/filter.ts';
import { aCostTable } from '../builders/cost-model/a-cost-table.ts';

/** 100 frames of a megapixel. */
const flow: VideoFlow = {
  kind: 'video',
  width: 1000,
  height: 1000,
  framesPerSecond: 25,
  seconds: 4,
  isTenBit: false,
  density: 0.1,
};

function chain(filters: Filter[], table: CostTable = aCostTable()) {
  const filtered = chainCost(filters, [flow], table);
  if (filtered?.flow.kind !== 'video') throw new Error('Expected a video behind the filters');
  return { ...filtered.flow, cpuSeconds: filtered.cpuSeconds };
}

const scale = (width: number, height: number) => filter('scale', `${width}:${height}`, { width, height });

it.each<[string, Filter[], object]>([
  ['a size', [scale(500, 250)], { width: 500, height: 250 }],
  ['no size', [filter('scale', 'iw:ih')], { width: 1000, height: 1000 }],
  ['a rate', [filter('fps', '30', { fps: 30 })], { framesPerSecond: 30, seconds: 4 }],
  ['twice the speed', [filter('setpts', 'PTS/2', { tempo: 2 })], { framesPerSecond: 50, seconds: 2 }],
  ['two for each', [filter('bwdif', '', { perFrame: 2 })], { framesPerSecond: 50, seconds: 4 }],
  ['a number of frames', [firstFrames(50)], { seconds: 2 }],
  ['a range', trimSeconds({ start: '1', end: '2.5' }), { seconds: 1.5 }],
  ['an open range', trimSeconds({ start: '1' }), { seconds: 4 }],
  ['a sheet of 25', [filter('tile', '5x5', { width: 5000, perFrame: 1 / 25 })], { framesPerSecond: 1 }],
  ['10 bits', [formatFilter('yuv420p10le')], { isTenBit: true }],
])('the frames after filters %s', (_, filters, expected) => expect(chain(filters)).toMatchObject(expected));

describe('the time of filters', () => {
  const table = aCostTable({ filterPerMegapixel: { scale: 1, scaleIn: 10, tonemap: 100, zscale: 7, other: 3 } });
  const palettes = aCostTable({ filterPerMegapixel: { palettegen: 2, other: 3 }, perPalette: 7 });
  const palette = filter('palettegen', '', { width: 16, height: 16, frames: 1 });
  const toBt709 = filter('scale', '', { matrix: 'bt709' });
  const tones = measuredTogether('tonemap', [formatFilter('yuv444p12le'), filter('zscale'), filter('tonemap')]);

  it.each<[string, number, Filter[], CostTable?]>([
    ['the pixels that scaling reads and those that it writes', 100 * 10 + 25 * 1, [scale(500, 500)]],
    ['the frames that a palette is made of, not the one that it is', 100 * 2 + 7, [palette], palettes],
    ['nothing for a size that frames have already', 0, [scale(1000, 1000), filter('setsar', '1')]],
    ['a conversion of colors', 100 * 11, [toBt709]],
    ['filters that are measured together once', 100 * 100, [tones]],
    ['a default for unknown filters', 100 * 3, [filter('unheardof')]],
  ])('counts %s', (_, cpuSeconds, filters, chosen = table) => {
    expect(chain(filters, chosen).cpuSeconds).toBe(cpuSeconds);
  });
});

it('a graph feeds each chain with the pads of the ones before it', () => {
  const chains = [
    { from: ['0:0'], filters: [scale(500, 500), filter('split', '2')], to: ['a', 'b'] },
    { from: ['b'], filters: [scale(100, 100)], to: ['c'] },
  ];
  expect(graphText(chains)).toBe('[0:0]scale=500:500,split=2[a][b];[b]scale=100:100[c]');
  const { flows } = graphCost(chains, (pad) => (pad === '0:0' ? flow : undefined), aCostTable());
  const sizes = [...flows].map(([pad, each]) => [pad, each.kind === 'video' && megapixelsOf(each)]);
  expect(sizes).toEqual([
    ['a', 25],
    ['b', 25],
    ['c', 1],
  ]);
});
