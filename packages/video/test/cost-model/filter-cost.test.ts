import { describe, expect, it } from 'vitest';
import type { CostTable } from '../../src/cost-model/cost-table.ts';
import { chainCost, graphCost } from '../../src/cost-model/filter-cost.ts';
import { parseGraph } from '../../src/cost-model/filter-text.ts';
import { megapixelsOf, type VideoFlow } from '../../src/cost-model/flow.ts';
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

function chain(text: string, table: CostTable = aCostTable()) {
  const filtered = chainCost(parseGraph(text)[0]?.filters ?? [], [flow], table);
  if (filtered?.flow.kind !== 'video') throw new Error('Expected a video behind the filters');
  return { ...filtered.flow, cpuSeconds: filtered.cpuSeconds };
}

describe('the frames after filters', () => {
  it.each([
    ['scale=500:250:flags=bicubic', { width: 500, height: 250 }],
    ['scale=iw:ih', { width: 1000, height: 1000 }],
    ['pad=1200:1000:-1:-1:color=black', { width: 1200, height: 1000 }],
    ['scale=500:250,transpose=clock', { width: 250, height: 500 }],
    ['fps=30000/1001', { framesPerSecond: 30_000 / 1001, seconds: 4 }],
    ['fps=1/2:start_time=0', { framesPerSecond: 0.5 }],
    ['setpts=PTS/2', { framesPerSecond: 50, seconds: 2 }],
    ['setpts=PTS/2,fps=25', { framesPerSecond: 25, seconds: 2 }],
    ['trim=end_frame=50', { seconds: 2 }],
    ['bwdif=mode=send_field:deint=interlaced', { framesPerSecond: 50 }],
    ['thumbnail=n=50', { framesPerSecond: 0.5, seconds: 4 }],
    ['palettegen=stats_mode=diff', { framesPerSecond: 1 / 4, seconds: 4 }],
    ['tile=5x5', { width: 5000, height: 5000, framesPerSecond: 1 }],
  ])('%s', (text, expected) => {
    expect(chain(text)).toMatchObject(expected);
  });

  it('reads a quoted expression as one value', () => {
    expect(chain(`select='gt(a,1)*lt(b,2);c',scale=500:500`)).toMatchObject({ width: 500 });
  });
});

describe('the time of filters', () => {
  const table = aCostTable({
    filterPerMegapixel: { scale: 1, scaleIn: 10, tonemap: 100, zscale: 7, other: 3 },
  });

  it('counts the pixels that scaling reads and those that it writes', () => {
    expect(chain('scale=500:500', table).cpuSeconds).toBe(100 * 10 + 25 * 1);
  });

  it('counts the frames that a palette is made of, not the one that it is', () => {
    const palettes = aCostTable({ filterPerMegapixel: { palettegen: 2, other: 3 }, perPalette: 7 });
    expect(chain('palettegen=stats_mode=diff', palettes).cpuSeconds).toBe(100 * 2 + 7);
  });

  it('is zero for a size that frames have already', () => {
    expect(chain('scale=1000:1000,setsar=1', table).cpuSeconds).toBe(0);
  });

  it('counts the conversions of a tone mapping once', () => {
    const toneMapping =
      'format=yuv444p12le,zscale=t=linear,tonemap=tonemap=mobius,zscale=t=bt709,format=yuv444p';
    expect(chain(toneMapping, table).cpuSeconds).toBe(100 * 100);
  });

  it('has a default for unknown filters', () => {
    expect(chain('unheardof=1', table).cpuSeconds).toBe(100 * 3);
  });
});

it('a graph feeds each chain with the pads of the ones before it', () => {
  const chains = parseGraph('[0:0]scale=500:500,split=2[a][b];[b]scale=100:100[c]');
  const { flows } = graphCost(chains, (pad) => (pad === '0:0' ? flow : undefined), aCostTable());
  const sizes = [...flows].map(([pad, each]) => [pad, each.kind === 'video' && megapixelsOf(each)]);
  expect(sizes).toEqual([
    ['a', 25],
    ['b', 25],
    ['c', 1],
  ]);
});
