// @module-tag nightly
// @module-tag chunks
// @module-tag concat
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { TrackChunk } from '@media-jobs/video/chunking';
import { clipsAudio } from '@media-jobs/video/chunking';
import { argumentTexts } from '@media-jobs/video/ffmpeg';
import {
  type AudioSource,
  audioSource,
  aVideoWithAudioFormatChanges,
  bareFfmpeg,
  chunkSource,
  everyChunkSource,
} from '@media-jobs/video/testing';
import { describe, expect, it } from 'vitest';
import { type BothWays, encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { encodeRemote, expectSameBytes } from '../builders/chunking/encode-remote.ts';
import { expectNoSeams, expectSinglePassTimes } from '../builders/chunking/expect-single-pass-audio.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';

describe.each(everyChunkSource)('%s', (kind) => {
  it('between two other videos joins to the file of a single pass', async () => {
    const inputs = [await chunkSource('constantRate'), await chunkSource(kind), await chunkSource('openGop')] as const;
    await expectSinglePassFile(await encodeBothWays(inputs, 'mp4', { name: 'concat' }));
  });

  it('before another video joins to the file of a single pass at another rate', async () => {
    const inputs = [await chunkSource(kind), await chunkSource('cinema')] as const;
    const recipe = { name: 'concat', fps: 23.976, width: 128, height: 128 } as const;
    await expectSinglePassFile(await encodeBothWays(inputs, 'mkv', recipe));
  });
});

const audioKinds: AudioSource[] = [
  ...(['aac', 'pcm', 'monoTracks', 'mp3', 'compactDisc', 'highRate', 'surround'] as const),
  ...(['lateAudio', 'lateVideo', 'shortAudio', 'severalTracks', 'editList'] as const),
];

/** The samples that a single pass encodes, or those of a chunk. */
async function samplesToEncode({ work, inputs: { sources } }: BothWays, chunk?: TrackChunk): Promise<string> {
  const path = join(await aTemporaryFolder(), 'audio.f32');
  const { inputs, graph } = clipsAudio(work.clips ?? [], { chunk }, { sources, firstInput: 0 });
  const files = inputs.flatMap((input) => [...(input.options ?? []), '-i', input.path]);
  const raw = ['-ac', '2', '-f', 'f32le', path];
  await bareFfmpeg(['-v', 'error', ...files, '-filter_complex', ...argumentTexts([graph]), '-map', '[audio]', ...raw]);
  return path;
}

async function readSamples(path: string): Promise<Float32Array> {
  const bytes = await readFile(path);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
}

/** A decoder of AAC makes some noise of its own. Samples that are one late differ by -29 dB. */
const maxErrorDb = -45;

/** The power of the difference, in dB of full scale, between the samples of a chunk and those of a single pass. */
async function chunkErrorDb(both: BothWays, whole: Float32Array, chunk: TrackChunk): Promise<number> {
  const { start = 0 } = chunk.source;
  const samples = await readSamples(await samplesToEncode(both, chunk));
  // Of the lead-in, no packet is kept.
  const from = 2 * (chunk.firstPacket * chunk.packetSamples - chunk.delaySamples - start);
  let sum = 0;
  for (let at = Math.max(0, from); at < samples.length; at += 1) {
    sum += ((samples[at] ?? 0) - (whole[2 * start + at] ?? 0)) ** 2;
  }
  return 10 * Math.log10(sum / (samples.length - from) + 1e-12);
}

it.each(audioKinds)('chunks of the audio of %s encode the samples of a single pass', async (kind) => {
  const inputs = [await audioSource('compactDisc'), await audioSource(kind), await audioSource(kind)] as const;
  const options = { audioChunks: 9, targetChunkSeconds: 20 };
  const both = await encodeBothWays(inputs, 'mkv', { name: 'concat' }, options);
  await expectSinglePassTimes(both, 9);
  const whole = await readSamples(await samplesToEncode(both));
  for (const { tracks } of both.work.audioChunks ?? []) {
    for (const chunk of tracks) expect(await chunkErrorDb(both, whole, chunk)).toBeLessThan(maxErrorDb);
  }
});

it.each(['mp4', 'webm'] as const)('the audio of joined videos in chunks has no seams, in %s', async (format) => {
  const inputs = [await audioSource('long'), await audioSource('compactDisc')] as const;
  const options = { audioChunks: 18, targetChunkSeconds: 20 };
  const both = await encodeBothWays(inputs, format, { name: 'concat' }, options);
  await expectSinglePassTimes(both, 18);
  const lossless = join(await aTemporaryFolder(), 'lossless.wav');
  const raw = ['-f', 'f32le', '-ar', '48000', '-ac', '2', '-i', await samplesToEncode(both)];
  await bareFfmpeg(['-v', 'error', ...raw, lossless]);
  await expectNoSeams(both, lossless);
});

it.each(audioKinds)('chunks with the audio of %s assemble to the packets of a single pass', async (kind) => {
  const inputs = [await audioSource('aac'), await audioSource(kind), await audioSource('pcm')] as const;
  const options = { targetChunkSeconds: 8, isAssembled: true };
  const both = await encodeBothWays(inputs, 'mp4', { name: 'concat' }, options);
  await expectSinglePassTimes(both, both.work.chunks.length);
});

it('sources in a bucket give the same bytes', async () => {
  const inputs = [await chunkSource('openGop'), await chunkSource('lateAudio')] as const;
  const both = await encodeBothWays(inputs, 'mp4', { name: 'concat' }, { audioChunks: 3, threads: 1 });
  expect(both.work.audioChunks).toHaveLength(3);
  await expectSameBytes(both, await encodeRemote(both));
});

it('videos of which one changes the format of its audio take a single pass', async () => {
  const inputs = [await chunkSource('openGop'), await aVideoWithAudioFormatChanges()] as const;
  await expect(encodeBothWays(inputs, 'mp4', { name: 'concat' })).rejects.toThrow(
    'the audio format changes, so the audio is encoded from an intermediate file',
  );
});
