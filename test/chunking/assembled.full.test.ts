// @module-tag nightly
// @module-tag chunks
import {
  anEncoder,
  audioSource,
  chunkSource,
  cuttableSources,
  frameTimes,
  generatedFile,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSamePackets } from '../builders/chunking/expect-same-packets.ts';
import { expectNoSeams } from '../builders/chunking/expect-single-pass-audio.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

const compress = { name: 'compress', preset: 'veryfast', crf: 28 } as const;
const transcode = { name: 'transcode', preset: 'ultrafast' } as const;

describe.each(['mp4', 'mov'] as const)('%s files, assembled and joined by ffmpeg, have the same packets', (format) => {
  it.each([
    'constantRate',
    'variableRate',
    'heldLastFrame',
    'pyramid',
    'hevc',
    'fast',
    'ntsc',
    'intraOnly',
    'lateAudio',
    'silent',
    'longGap',
  ] as const)('of %s', async (kind) => {
    await expectSamePackets(await chunkSource(kind), format, compress);
  });

  it.each(['pcm', 'monoTracks', 'opus', 'compactDisc', 'surround', 'severalTracks'] as const)(
    'with the audio of %s',
    async (kind) => {
      await expectSamePackets(await audioSource(kind), format, { ...transcode, audioTracks: undefined });
    },
  );

  it('in H.265', async () => {
    const recipe = { ...transcode, codec: 'h265', preset: 'veryfast' } as const;
    await expectSamePackets(await chunkSource('openGop'), format, recipe);
  });

  it('at another frame rate', async () => {
    await expectSamePackets(await chunkSource('ntsc'), format, { ...transcode, fps: 25 });
  });

  it('in several renditions', async () => {
    const renditions = { name: 'renditions' as const, heights: [180, 144] };
    const both = await expectSamePackets(await audioSource('large'), format, renditions);
    expect(both.files).toHaveLength(2);
  });
});

/** A broadcast starts with its audio, which only the single pass has here. */
async function timesFromFirst(path: string): Promise<number[]> {
  const times = await frameTimes(path);
  return times.map((seconds) => Math.round(1e6 * (seconds - (times[0] ?? 0))));
}

it.each(cuttableSources)('silent chunks of %s are assembled to the frames of a single pass', async (kind) => {
  const options = { isAssembled: true, isMuted: true };
  const { single, chunked } = await encodeBothWays(await chunkSource(kind), 'mp4', compress, options);
  expect(await timesFromFirst(chunked)).toEqual(await timesFromFirst(single));
});

it.each([
  ['av1', 'opus'],
  ['vp9', 'opus'],
  ['h264', 'eac3'],
] as const)('%s with %s in MP4', async (codec, audioCodec) => {
  await expectSamePackets(await chunkSource('openGop'), 'mp4', { ...transcode, codec, audioCodec });
});

it.each([true, false])('the first of chosen tracks is the default; assembled: %s', async (isAssembled) => {
  const recipe = { ...transcode, audioTracks: [1, 0] };
  const tones = [440, 880].flatMap((hertz) => ['-f', 'lavfi', '-i', `sine=${hertz}:sample_rate=48000:duration=12`]);
  const source = await generatedFile('tones.mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=12', ...tones],
    ...['-map', '0', '-map', '1', '-map', '2', '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'],
  ]);
  const both = await encodeBothWays(source, 'mp4', recipe, { isAssembled, targetChunkSeconds: 4 });
  for (const path of [both.single, both.chunked]) {
    const { streams } = await anEncoder().probe(path, { role: 'output' });
    const audio = streams.filter(({ kind }) => kind === 'audio');
    expect(audio.map(({ isDefault }) => isDefault)).toEqual([true, false]);
  }
});

it('a late video starts at its own time', async () => {
  const both = await expectSamePackets(await chunkSource('lateStart'), 'mp4', compress);
  expect(both.work.frameTimes.firstPts).toBeGreaterThan(0);
});

it('an assembled file is that of a single pass, and its audio has no seams', async () => {
  const silent = await encodeBothWays(await chunkSource('silent'), 'mp4', compress, { isAssembled: true });
  await expectSinglePassFile(silent);
  const both = await expectSamePackets(await audioSource('long'), 'mp4', transcode, { targetChunkSeconds: 7 });
  await expectNoSeams(both);
});
