import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packetReader } from '../../adapters/ffmpeg/packet-reader.ts';
import { beginningOf } from '../../core/chunks/beginning.ts';
import { encodeInChunks } from '../../core/chunks/chunked-encoding.ts';
import { cutPicture } from '../../core/chunks/cut.ts';
import type { Command } from '../../core/media/command.ts';
import { requireMovingPicture } from '../../core/media/streams.ts';
import { aDoorTo } from '../builders/a-door.ts';
import { aVideoEncoding } from '../builders/a-video-encoding.ts';
import { programs } from '../builders/bare-ffmpeg.ts';
import { aDirectory, anEncoder } from '../builders/encode.ts';
import { type Container, longFilm } from '../builders/long-film.ts';

const count = 8;
const measured = [0, 4, 7];
const signal = new AbortController().signal;

type Read = { requests: number; share: number };

/** What some of eight chunks, and the sound, read of a film in a bucket. */
async function readsOf(container: Container): Promise<{ chunks: Read[]; sound: Read }> {
  const path = await longFilm(container);
  const { size } = await stat(path);
  const encoder = anEncoder();
  const probe = await encoder.probe(path);
  const video = requireMovingPicture(probe);
  const fileSeconds = beginningOf(probe.container, probe.streams);
  const reading = { signal, timeLimitSeconds: 120 };
  const index = await packetReader(programs).pictures(path, { stream: video.index, fileSeconds }, reading);
  const directory = await aDirectory();
  const door = await aDoorTo({ source: path });
  const { chunks, sound } = encodeInChunks(
    { probe, format: 'mp4', inputPath: door.urlOf('source'), isStored: true },
    {
      encoding: aVideoEncoding({ preset: 'ultrafast' }),
      outputs: [],
      chunks: cutPicture(index, { count, container: probe.container }),
      beginning: index.beginning,
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
  return { chunks: reads, sound: await read(sound) };
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
