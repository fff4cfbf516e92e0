// @module-tag timing
import { readFile } from 'node:fs/promises';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { Format, VideoCodec } from '@media-jobs/video/media';
import { anEncoder, encode, encodeOne, frameTimes, generatedFile, writeTestFile } from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';

const lastFrameAt = 2.002;
const lengths = { mp4: 0.6, webm: 0.45, 'B-frames': 0.45 };

const codecs = { mp4: ['libx264', '-bf', '0'], webm: ['libvpx-vp9', '-deadline', 'realtime'] };

/**
 * A variable rate whose last frame is shown much longer than the others. WebM and MP4 with B-frames state its end, but
 * not its length.
 */
async function heldVideo(format: keyof typeof lengths): Promise<string> {
  // Encoded by the recipe itself: ffmpeg alone states a wrong duration.
  if (format === 'B-frames') {
    return (await encodeOne(await heldVideo('webm'), 'mp4', { name: 'transcode' })).path;
  }
  const rate = "select='if(lt(t,1.5),not(mod(n,4)),lt(t,1.7)+eq(n,100))',settb=1/90000";
  const held = `setts=pts=PTS:dts=DTS:duration='if(eq(NEXT_PTS,NOPTS),${lengths[format]}/TB,DURATION)'`;
  const codec = codecs[format];
  return generatedFile(format === 'webm' ? 'held.webm' : 'held.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=50:duration=2.02', '-vf', `${rate},setpts=PTS+180`],
    ...['-fps_mode', 'vfr', '-enc_time_base', '1/90000', '-c:v', ...codec, '-bsf:v', held],
  ]);
}

describe.each(['mp4', 'webm', 'B-frames'] as const)('the last frame of a variable rate in %s', (source) => {
  const end = lastFrameAt + lengths[source];

  it.each<[Format, VideoCodec]>([
    ['mp4', 'h264'],
    ['mkv', 'h264'],
    ['mp4', 'h265'],
    ['webm', 'vp9'],
    ['mp4', 'av1'],
    ['webm', 'av1'],
  ])('keeps its own length in %s with %s', async (format, codec) => {
    const input = await heldVideo(source);
    const { path, probe } = await encodeOne(input, format, { name: 'transcode', codec });
    const times = await frameTimes(path);
    expect(times.length).toBe((await frameTimes(input)).length);
    expect(times.at(-1)).toBeCloseTo(lastFrameAt, 2);
    expect(probe.durationSeconds).toBeCloseTo(end, 2);
  });

  it.each<VideoCodec>(['h264', 'av1'])('keeps its own length in each rendition with %s', async (codec) => {
    const recipe = { name: 'renditions' as const, heights: [180, 144], codec };
    const files = await encode(await heldVideo(source), 'mp4', recipe);
    expect(files.map(({ name }) => name)).toEqual(['180p', '144p']);
    for (const { probe } of files) expect(probe.durationSeconds).toBeCloseTo(end, 2);
  });

  it('keeps its own length in each codec of a stream', async () => {
    const { paths } = await encodeAll(await heldVideo(source), 'm3u8', { name: 'hls', codecs: ['h264', 'av1'] });
    const videos = [...paths].filter(([name]) => /^180p(-av1)?$/.test(name));
    expect(videos).toHaveLength(2);
    for (const [name, path] of videos) {
      const { durationSeconds } = await anEncoder().probe(path, { role: 'output' });
      expect(durationSeconds, name).toBeCloseTo(end, 2);
    }
  });
});

it.each<VideoCodec>(['h264', 'av1'])('does not hide with %s that the input is truncated', async (codec) => {
  const held = await heldVideo('mp4');
  const whole = await generatedFile('faststart.mp4', ['-i', held, '-c', 'copy', '-movflags', '+faststart']);
  const bytes = await readFile(whole);
  const path = await writeTestFile(await aTemporaryFolder(), 'input', bytes.subarray(0, 0.8 * bytes.length));
  await expect(runAsWorker(path, 'mp4', [{ name: 'transcode', codec }])).rejects.toMatchObject({
    code: 'INPUT_DAMAGED',
    retryable: false,
    message: expect.stringMatching(/ are missing .* The finished file lasts .* damaged or truncated$/),
  });
});
