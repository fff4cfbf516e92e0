// @module-tag sources
import { describe, expect, it } from 'vitest';
import { inputLimitsSchema, validateProbe } from '../../src/probe.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { clipWith } from '../builders/media/clips.ts';
import { type SourceName, wholeFile, wholeSources } from '../builders/media/damaged-file.ts';
import { featurePairs } from '../builders/media/feature-pairs.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { anEncoder, encodeOne } from '../builders/recipes/encode.ts';

const limits = inputLimitsSchema.parse({});

const animatedAvif = () =>
  generatedFile('animated.avif', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=5:duration=1'],
    ...['-c:v', 'libaom-av1', '-cpu-used', '8', '-f', 'avif'],
  ]);

describe('ffprobe and ffmpeg number the same streams', () => {
  it.each(Object.keys(wholeSources) as SourceName[])('of %s', async (name) => {
    expect((await anEncoder().probe(await wholeFile(name))).misreading).toBeUndefined();
  });

  it.each(featurePairs)('of a clip with %o', async (features) => {
    expect((await anEncoder().probe(await clipWith(features))).misreading).toBeUndefined();
  });
});

it('an animated AVIF has all its frames, or is rejected by programs that number its streams differently', async () => {
  const path = await animatedAvif();
  const probe = await anEncoder().probe(path);
  if (probe.misreading === undefined) {
    const output = await encodeOne(path, 'mp4', { name: 'compress', preset: 'ultrafast' });
    expect(await frameTimes(output.path)).toHaveLength(5);
  } else {
    expect(() => validateProbe(probe, limits)).toThrow('Install ffprobe and ffmpeg of the same version');
  }
});
