import type { Machine } from './machine.ts';
import { filterSeconds, round } from './measure.ts';
import { makeFile } from './source-file.ts';

/**
 * The palettes of a GIF, whose time depends on the number of different colours. So the frames are scaled as a GIF scales
 * them, which makes more colours, to two sizes, which separate the time of a palette from that of its frames.
 */
export async function measurePalettes(
  machine: Machine,
): Promise<{ perPalette: number; filterPerMegapixel: Record<string, number> }> {
  const content = { kind: 'scene', number: 3, grain: 3 } as const;
  const size = { width: 960, height: 540 };
  const file = await makeFile(machine, 'palettes', {
    content,
    size,
    framesPerSecond: 25,
    seconds: 2,
    encoder: 'h264',
  });
  const seconds = (filters: string) => filterSeconds(machine, file.path, filters);
  const measure = async (width: number, height: number) => {
    const scale = `scale=${width}:${height}:flags=bicubic`;
    const generate = 'palettegen=stats_mode=diff';
    const use = `split[a][b];[a]${generate}[p];[b][p]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle`;
    const scaled = await seconds(scale);
    const generated = await seconds(`${scale},${generate}`);
    const used = await seconds(`${scale},${use}`);
    const megapixels = (width * height * file.frames) / 1e6;
    return { megapixels, generate: generated - scaled, use: used - generated };
  };
  const small = await measure(320, 180);
  const large = await measure(640, 360);
  const palettegen = (large.generate - small.generate) / (large.megapixels - small.megapixels);
  return {
    perPalette: round(Math.max(1e-4, small.generate - palettegen * small.megapixels)),
    filterPerMegapixel: {
      palettegen: round(palettegen),
      paletteuse: round((small.use + large.use) / (small.megapixels + large.megapixels)),
    },
  };
}
