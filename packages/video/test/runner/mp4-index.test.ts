import { describe, expect, it } from 'vitest';
import { packetReader, readMp4Packets } from '../../src/runner/packet-reader.ts';
import { openFile } from '../../src/runner/workspace.ts';
import { type ChunkSource, chunkSource } from '../builders/chunking/chunk-sources.ts';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { generatedFile } from '../builders/media/generated-file.ts';

const reader = packetReader(ffmpegPrograms);
const options = { signal: new AbortController().signal, timeLimitSeconds: 60 };
const from = { stream: 0, fileSeconds: 0 };

/** A copy of a source under an edit list from a time between keyframes, for so many seconds. */
const cut = async (kind: ChunkSource, [name, start, seconds]: readonly [string, string, string]) =>
  generatedFile(name, [
    ...['-ss', start, '-i', await chunkSource(kind), '-map', '0', '-t', seconds],
    ...['-c', 'copy'],
  ]);

/** Reads the packets from the index alone. */
async function isIndexed(path: string): Promise<boolean> {
  await using file = await openFile(path);
  return (await readMp4Packets(file.readAt, { trackId: 1, sizeBytes: file.sizeBytes })) !== undefined;
}

/** The index from the file's own, and that from the packets that ffprobe reads. */
async function bothIndexes(path: string) {
  const { extradataHash: _, ...indexed } = await reader.readFrameIndex(path, from, options);
  const { extradataHash: __, ...read } = await reader.readFrameIndex(path, from, { ...options, role: 'output' });
  return { indexed, read };
}

/** Versions of ffmpeg differ in the duration of a last frame that an edit cuts off. */
async function expectSamePackets(path: string): Promise<void> {
  expect(await isIndexed(path), path).toBe(true);
  const { indexed, read } = await bothIndexes(path);
  expect(indexed, path).toEqual({ ...read, lastFrameTicks: expect.toSatisfy(() => true) });
}

describe('the index of an MP4 has the packets that ffprobe reads', () => {
  it.each([
    ...(['constantRate', 'variableRate', 'heldLastFrame', 'openGop', 'hevc', 'ntsc', 'intraOnly'] as const),
    ...(['lateStart', 'lateAudio', 'silent', 'longGap', 'singleKeyframe', 'editList'] as const),
  ])('%s', async (kind) => {
    const path = await chunkSource(kind);
    expect(await isIndexed(path)).toBe(true);
    const { indexed, read } = await bothIndexes(path);
    expect(indexed).toEqual(read);
  });

  it.each([
    ['openGop', ['cut-open.mp4', '2.3', '4.1']],
    ['variableRate', ['cut-variable.mp4', '3.7', '5']],
    ['hevc', ['cut-hevc.mov', '1.05', '7.77']],
    ['intraOnly', ['cut-intra.mov', '1.01', '3.3']],
    ['lateStart', ['cut-late.mp4', '0.5', '9']],
  ] as const)('%s under an edit list', async (kind, [name, start, seconds]) => {
    await expectSamePackets(await cut(kind, [name, start, seconds]));
  });

  it.each([
    ['mov', 'open-gop=0:bframes=2'],
    ['mp4', 'open-gop=1:bframes=3'],
  ])('under edit lists over negative composition offsets, around a keyframe: %s, %s', async (container, gop) => {
    const source = await generatedFile(`${gop.replaceAll(/[=:]/g, '-')}.mp4`, [
      ...['-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=8', '-c:v', 'libx264'],
      ...['-x264-params', `keyint=50:min-keyint=50:scenecut=0:b-adapt=0:${gop}`],
    ]);
    for (let frame = 46; frame < 54; frame += 1) {
      const path = await generatedFile(`negative-${frame}.${container}`, [
        ...['-ss', `${frame / 25}`, '-i', source, '-t', '2.9'],
        ...['-c', 'copy', '-movflags', '+negative_cts_offsets'],
      ]);
      await expectSamePackets(path);
    }
  });
});

describe('ffprobe reads the packets of', () => {
  it('an MP4 in fragments', async () => {
    const source = ['-i', await chunkSource('openGop'), ...'-c copy -movflags frag_keyframe+empty_moov'.split(' ')];
    const path = await generatedFile('fragments.mp4', source);
    expect(await isIndexed(path)).toBe(false);
    const { indexed, read } = await bothIndexes(path);
    expect(indexed).toEqual(read);
  });

  it('an MP4 that ends before its samples do', async () => {
    const whole = await generatedFile('front.mp4', [
      ...['-i', await chunkSource('openGop'), '-c', 'copy', '-movflags', '+faststart'],
    ]);
    await using file = await openFile(whole);
    const { readAt, sizeBytes } = file;
    expect(await readMp4Packets(readAt, { trackId: 1, sizeBytes })).toBeDefined();
    expect(await readMp4Packets(readAt, { trackId: 1, sizeBytes: sizeBytes - 100_000 })).toBeUndefined();
  });
});
