// @module-tag pipelines
// @module-tag nightly
// @module-tag chunks
import { chunkSource, generatedFile } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const rotate = { name: 'rotate', degrees: 90 } as const;
const resize = { name: 'resize', width: 200 } as const;
const watermark = { name: 'watermark', image: 'https://example.com/logo.png', position: 'top-left' } as const;
const compress = { name: 'compress', preset: 'ultrafast' } as const;

it.each([
  [[rotate, resize, watermark], compress],
  [[{ name: 'clip', start: 1.3, end: 11 }, watermark, resize], compress],
  [[{ name: 'speed', factor: 1.5 }, { name: 'mute' }], rotate],
] as const)('steps that are one encode are the same in chunks: %j, %j', async (earlier, recipe) => {
  const logo = ['-f', 'lavfi', '-i', 'testsrc=size=64x48:rate=1:duration=1', '-frames:v', '1'];
  const image = { path: await generatedFile('logo.png', logo), role: 'input' } as const;
  const assets = earlier.some((each) => each.name === 'watermark') && { assets: { image } };
  const both = await encodeBothWays(await chunkSource('constantRate'), 'mp4', recipe, { earlier, ...assets });
  expect(both.tasks.length).toBeGreaterThan(1);
  await expectSinglePassFile(both);
});
