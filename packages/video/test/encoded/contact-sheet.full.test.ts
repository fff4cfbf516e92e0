// @module-tag images
import { expect, it } from 'vitest';
import { ssim } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { encodeOne } from '../builders/recipes/encode.ts';

it.each(['jpg', 'png', 'webp'] as const)('a contact sheet has frames at equal intervals in a %s', async (format) => {
  const source = await clipWith();
  const request = { name: 'contact-sheet', columns: 2, rows: 2, tileWidth: 160, gap: 6 } as const;
  const output = await encodeOne(source, format, request);
  expect(output.probe.streams).toMatchObject([{ width: 2 * 160 + 3 * 6, height: 2 * 90 + 3 * 6 }]);
  const positions = [
    [6, 6],
    [172, 6],
    [6, 102],
    [172, 102],
  ];
  for (const [index, [x, y]] of positions.entries()) {
    const tile = { path: output.path, filters: `crop=160:90:${x}:${y},format=yuv420p` };
    const time = 0.25 + index * 0.5 - 0.02;
    const frame = { path: source, filters: `select=gte(t\\,${time}),trim=end_frame=1,scale=160:90` };
    expect(await ssim(tile, frame)).toBeGreaterThan(0.85);
  }
});
