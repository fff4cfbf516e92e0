import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packetReader } from '../../adapters/ffmpeg/packet-reader.ts';
import { chunkedCommands } from '../../core/chunking/commands/chunked-commands.ts';
import { timelineOriginSeconds } from '../../core/chunking/frame-index/timeline-origin.ts';
import { cutVideo } from '../../core/chunking/plan/cut-video.ts';
import type { Command } from '../../core/media/ffmpeg/command.ts';
import { requireVideo } from '../../core/media/probe/streams.ts';
import { ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { type Container, longVideo } from '../builders/media/long-video.ts';
import { aVideoEncoding } from '../builders/recipes/a-video-encoding.ts';
import { anEncoder, aTemporaryDirectory } from '../builders/recipes/encode.ts';
import { anS3RangeProxyToFiles } from '../builders/storage/an-s3-range-proxy.ts';

const maxChunks = 8;
const measured = [0, 4, 7];
const signal = new AbortController().signal;

type Read = { requests: number; share: number };

/** What some of eight chunks, and the sound, read of a film in a bucket. */
async function readsOf(container: Container): Promise<{ chunks: Read[]; sound: Read }> {
  const path = await longVideo(container);
  const { size } = await stat(path);
  const encoder = anEncoder();
  const probe = await encoder.probe(path);
  const video = requireVideo(probe);
  const fileSeconds = timelineOriginSeconds(probe.container, probe.streams);
  const reading = { signal, timeLimitSeconds: 120 };
  const index = await packetReader(ffmpegPrograms).readFrameIndex(
    path,
    { stream: video.index, fileSeconds },
    reading,
  );
  const directory = await aTemporaryDirectory();
  const door = await anS3RangeProxyToFiles({ source: path });
  const { chunks, audio } = chunkedCommands(
    { probe, format: 'mp4', inputPath: door.urlOf('source'), isRemote: true },
    {
      encoding: aVideoEncoding({ preset: 'ultrafast' }),
      outputs: [],
      chunks: cutVideo(index, { maxChunks, container: probe.container }),
      timelineOrigin: index.timelineOrigin,
    },
    { pathOf: (name) => join(directory, name), directory },
  );
  const read = async (part: { command: Command } | undefined): Promise<Read> => {
    if (part === undefined) throw new TypeError('The film has no such part');
    const before = door.traffic();
    await encoder.run(part.command, { directory, signal, timeLimitSeconds: 300, stallSeconds: 60 });
    const { requests, bytes } = door.traffic();
    return { requests: requests - before.requests, share: (bytes - before.bytes) / size };
  };
  const reads: Read[] = [];
  for (const part of measured) reads.push(await read(chunks[part]));
  return { chunks: reads, sound: await read(audio) };
}

const inWords = ({ requests, share }: Read) => `${requests} requests, ${Math.round(share * 100)} %`;

// An eighth of the film, two keyframes before it, what ffmpeg looks at to begin with, and what lies in buffers.
const aboutItsShare = 0.45;

it.for<[Container, { requests: number; share: number }]>([
  ['indexAtEnd', { requests: 4, share: aboutItsShare }],
  ['indexInFront', { requests: 2, share: aboutItsShare }],
  ['matroska', { requests: 4, share: aboutItsShare }],
  // The place of a time is looked for by halves.
  ['transportStream', { requests: 30, share: aboutItsShare }],
  ['programStream', { requests: 30, share: aboutItsShare }],
  // The place of a time is found by reading up to it.
  ['matroskaWithoutIndex', { requests: 4, share: 1.4 }],
  ['flash', { requests: 4, share: 1.4 }],
  // All fragments are looked at first.
  ['inFragments', { requests: 4, share: 1.6 }],
])('a chunk of a film %s takes at most %o', async ([container, most], { annotate }) => {
  const { chunks, sound } = await readsOf(container);
  await annotate(`chunks ${chunks.map(inWords).join('; ')}; sound ${inWords(sound)}`);
  for (const { requests, share } of chunks) {
    expect(requests).toBeLessThanOrEqual(most.requests);
    expect(share).toBeLessThan(most.share);
  }
  expect(sound.requests).toBeLessThanOrEqual(4);
  expect(sound.share).toBeLessThan(2.2);
});
