// @module-tag color
import { describe, expect, it } from 'vitest';
import { deltaE2000 } from '../builders/measure/delta-e.ts';
import { hdrPatches, readPatches } from '../builders/measure/hdr-patches.ts';
import { type Rgb, referenceSdr, toBt2020, toDisplayP3 } from '../builders/measure/hdr-reference.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

const grey = (nits: number): Rgb => [nits, nits, nits];

/** Linear BT.709 of skin from dark to light, the lightest in bright light too. */
const skins: readonly Rgb[] = [
  [0.08, 0.045, 0.03],
  [0.17, 0.085, 0.058],
  [0.33, 0.18, 0.12],
  [0.54, 0.3, 0.22],
  [0.66, 0.43, 0.34],
];

/** The colors of BT.709 at the brightness of reference white. */
const pureColors: readonly Rgb[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [0, 1, 1],
  [1, 0, 1],
];

/** With a grey between skin and red: an encoder mixes the chroma of neighbours a little. */
const patches = [grey(26), grey(203), ...skins.map(toBt2020), grey(100), ...pureColors.map(toBt2020)];

async function convert(clip: Parameters<typeof hdrPatches>[0], format: 'mp4' | 'jpg' = 'mp4') {
  const recipe = format === 'mp4' ? ({ name: 'hdr-to-sdr' } as const) : ({ name: 'thumbnail', at: 0 } as const);
  const { path } = await encodeOne(await hdrPatches(clip), format, recipe);
  return readPatches(path, clip.patches.length);
}

/** CIEDE2000. JPEG itself moves a color by up to 2, and not by the same amount on every processor. */
const maxDifference = { mp4: 5, jpg: 7 };

describe.each(['pq', 'hlg'] as const)('%s as SDR', (transfer) => {
  it.each(['mp4', 'jpg'] as const)('has the levels of BT.2408 in %s', async (format) => {
    const [middle, white, ...others] = await convert({ transfer, patches }, format);
    for (const channel of middle ?? []) expectBetween(channel, 0.4, 0.44);
    for (const channel of white ?? []) expectBetween(channel, 0.8, 0.88);
    for (const [index, light] of skins.map(toBt2020).entries()) {
      const difference = deltaE2000(others[index] ?? [0, 0, 0], referenceSdr(light));
      expect(difference, `skin ${index}: ${others[index]} ${referenceSdr(light)}`).toBeLessThan(maxDifference[format]);
    }
    for (const color of others.slice(skins.length)) expect(Math.max(...color), `${color}`).toBeLessThan(0.95);
  });
});

const colors = [...skins, ...pureColors];

it.each([
  ['with the primaries of P3', { transfer: 'pq', primaries: 'smpte432', patches: colors.map(toDisplayP3) }],
  ['in RGB', { transfer: 'pq', isRgb: true, patches: colors.map(toBt2020) }],
] as const)('HDR %s has the same colors as in BT.2020', async (_what, clip) => {
  const [found, expected] = [await convert(clip), await convert({ transfer: 'pq', patches: colors.map(toBt2020) })];
  for (const [index, color] of expected.entries()) {
    const difference = deltaE2000(found[index] ?? [0, 0, 0], color);
    expect(difference, `${found[index]} ${color}`).toBeLessThan(2);
  }
});

function expectBetween(value: number | undefined, lowest: number, highest: number): void {
  expect(value).toBeGreaterThanOrEqual(lowest);
  expect(value).toBeLessThanOrEqual(highest);
}

const mastering = 'master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)';

it.each([
  ['a display of 1,000 nits', `${mastering}L(10000000,1):max-cll=1000,400`],
  ['a display of 4,000 nits', `${mastering}L(40000000,50):max-cll=3800,500`],
  ['a brightest pixel of 1 nit', `${mastering}L(10000000,1):max-cll=1,1`],
  ['a brightest pixel of 65,535 nits and a display of 0.1 nits', `${mastering}L(1000,1):max-cll=65535,65535`],
])('white of PQ keeps its level if the metadata declare %s', async (_what, metadata) => {
  const [middle, white] = await convert({ transfer: 'pq', patches: [grey(26), grey(203)], metadata });
  expectBetween(middle?.[1], 0.4, 0.44);
  expectBetween(white?.[1], 0.8, 0.88);
});

it('highlights of PQ are distinct up to the peak that the metadata declare', async () => {
  const highlights = [600, 1200, 2400, 3600].map(grey);
  const metadata = `${mastering}L(40000000,50):max-cll=3800,500`;
  const found = await convert({ transfer: 'pq', patches: highlights, metadata });
  const levels = found.map(([, green]) => green);
  expect(levels).toEqual(levels.toSorted((a, b) => a - b));
  expect(new Set(levels).size).toBe(highlights.length);
});
