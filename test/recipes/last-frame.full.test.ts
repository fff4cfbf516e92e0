import { describe, expect, it } from 'vitest';
import type { VideoCodec } from '../../core/media/codecs/video-codecs.ts';
import type { Format } from '../../core/media/formats.ts';
import { frameTimes } from '../builders/measure/measure-video.ts';
import { generatedFile } from '../builders/media/generated-file.ts';
import { encode, encodeOne } from '../builders/recipes/encode.ts';

const lastFrameAt = 2.002;
const lengths = { mp4: 0.6, webm: 0.45, 'B-frames': 0.45 };

const codecs = {
  mp4: ['libx264', '-bf', '0'],
  webm: ['libvpx-vp9', '-deadline', 'realtime'],
};

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
  ])('keeps its own length in %s with %s', async (format, codec) => {
    const input = await heldVideo(source);
    const { path, probe } = await encodeOne(input, format, { name: 'transcode', codec });
    expect((await frameTimes(path)).at(-1)).toBeCloseTo(lastFrameAt, 2);
    expect(probe.durationSeconds).toBeCloseTo(end, 2);
  });

  it('keeps its own length in each rendition', async () => {
    const files = await encode(await heldVideo(source), 'mp4', { name: 'renditions', heights: [180, 144] });
    for (const { probe } of files) expect(probe.durationSeconds).toBeCloseTo(end, 2);
  });
});
