// @module-tag nightly
// @module-tag pipelines
import { describe, it } from 'vitest';
import { expectSameFrames, fusedPairs, recipesOfPairs, sourceOfPair } from '../builders/measure/fused-pairs.ts';
import { clipWith } from '../builders/media/clips.ts';
import { generatedFile } from '../builders/media/generated-file.ts';

it.each(fusedPairs)('%s and %s are one encode with the frames of two', async (one, other) => {
  const second =
    one === other && one === 'clip' ? ({ name: 'clip', start: 0.2, end: 1 } as const) : recipesOfPairs[other];
  await expectSameFrames(await sourceOfPair(one, other), [recipesOfPairs[one], second]);
});

const { rotate, resize, watermark, compress, clip, speed } = recipesOfPairs;
const subtitles = recipesOfPairs['burn-subtitles'];

describe.each([
  ['an upright video', () => clipWith({ shape: 'portrait' })],
  ['odd sides and 4:4:4', () => clipWith({ shape: 'odd' })],
  ['a variable rate', () => clipWith({ rate: 'variable' })],
  ['HDR', () => clipWith({ colour: 'hdr' })],
  ['Matroska', () => source('source.mkv', [])],
  ['a broadcast', () => source('source.ts', [])],
  [
    'fields',
    () => source('fields.ts', ['-vf', 'tinterlace=mode=interleave_top', '-flags', '+ilme+ildct', '-x264opts', 'tff=1']),
  ],
  ['SD that becomes HD', () => source('sd.mp4', ['-s', '720x576'])],
] as const)('several steps of %s are one encode', (_, make) => {
  it.each([
    [[rotate, resize, watermark, compress]],
    [[subtitles, clip, watermark, { name: 'resize', width: 1280 }]],
    [[speed, watermark, subtitles, rotate]],
  ] as const)('%j', async (recipes) => expectSameFrames(await make(), recipes));
});

function source(name: string, args: readonly string[]): Promise<string> {
  return generatedFile(name, [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=50:duration=2.5', '-f', 'lavfi', '-i', 'sine=duration=2.5'],
    ...['-c:v', 'libx264', '-preset', 'fast', '-g', '30', '-c:a', 'aac', ...args],
  ]);
}
