// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { anEncoder, encodeOne, frameTimes, generatedFile } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const packetBytes = 188;

/** A recording of 4 s that begins within a group of 50 frames: nothing decodes for its first second. */
async function broadcast(codec: 'libx264' | 'mpeg2video'): Promise<string> {
  const whole = await generatedFile('groups.ts', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=5', '-f', 'lavfi', '-i', 'sine=duration=5'],
    ...['-c:v', codec, '-g', '50', '-bf', '2', '-c:a', 'mp2', '-muxrate', '1M'],
  ]);
  const bytes = await readFile(whole);
  const path = join(await aTemporaryFolder(), 'begins-later.ts');
  await writeFile(path, bytes.subarray(Math.floor(bytes.length / 5 / packetBytes) * packetBytes));
  return path;
}

it.each(['libx264', 'mpeg2video'] as const)('the video of a broadcast starts at a keyframe: %s', async (codec) => {
  const path = await broadcast(codec);
  const [video, audio] = (await anEncoder().probe(path)).streams;
  const { path: encoded } = await encodeOne(path, 'mp4', { name: 'compress', preset: 'ultrafast' });
  const [first] = await frameTimes(encoded);
  expect(video?.startSeconds).toBeGreaterThan(0.5);
  expect(video?.startSeconds).toBeCloseTo(Number(first), 1);
  expect(audio?.startSeconds).toBeLessThan(0.1);
});

it('a stream of it shows its first frame from the start', async () => {
  const path = await broadcast('libx264');
  const { paths } = await encodeAll(path, 'm3u8', { name: 'hls', preset: 'ultrafast' });
  const [video, ...others] = [...paths.values()].filter((each) => each.endsWith('.mp4'));
  const times = await frameTimes(String(video));
  expect(others).toHaveLength(1);
  expect(times[0]).toBeLessThan(0.1);
  expect(times.at(-1)).toBeGreaterThan(3.5);
});
