// @module-tag nightly
// @module-tag chunks
// @module-tag sources
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { chunkTasks, cutVideo, encodeFrameTimes, taskCommand, timelineOriginSeconds } from '@media-jobs/video/chunking';
import { requireVideo } from '@media-jobs/video/probe';
import { packetReader } from '@media-jobs/video/runner';
import { anEncoder, aVideoEncoding, type Container, ffmpegPrograms, longVideo } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { aRangeProxyToFiles } from '../builders/storage/a-range-proxy.ts';

const maxChunks = 8;
const measured = [0, 4, 7];
const signal = new AbortController().signal;

type Read = { requests: number; share: number };

/** Requests, and bytes as a share of the file, of some of eight chunks and of the audio of a video in a bucket. */
async function readsOf(container: Container): Promise<{ chunks: Read[]; audio: Read }> {
  const path = await longVideo(container);
  const { size } = await stat(path);
  const encoder = anEncoder();
  const probe = await encoder.probe(path);
  const video = requireVideo(probe);
  const encoding = aVideoEncoding({ preset: 'ultrafast' });
  const fileSeconds = timelineOriginSeconds(probe, encoding);
  const options = { signal, timeLimitSeconds: 120 };
  const stream = { stream: video.index, fileSeconds };
  const index = await packetReader(ffmpegPrograms).readFrameIndex(path, stream, options);
  const directory = await aTemporaryFolder();
  const proxy = await aRangeProxyToFiles({ source: path });
  const work = {
    source: probe,
    format: 'mp4',
    encoding,
    timelineOrigin: index.timelineOrigin,
    frameTimes: encodeFrameTimes(index),
    outputs: [] as [],
    chunks: cutVideo(index, { maxChunks, container: probe.container }),
  } as const;
  const tasks = chunkTasks(work);
  const read = async (number: number): Promise<Read> => {
    const task = tasks[number];
    if (task === undefined) throw new TypeError(`The video has no chunk task ${number}`);
    const before = proxy.traffic();
    const command = taskCommand(work, task, {
      sources: [proxy.urlOf('source')],
      isRemote: true,
      outputPath: (file) => join(directory, `task-${number}-${file}`),
    });
    await encoder.run(command, { directory, signal, timeLimitSeconds: 300, stallSeconds: 60 });
    const { requests, bytes } = proxy.traffic();
    return { requests: requests - before.requests, share: (bytes - before.bytes) / size };
  };
  const chunks: Read[] = [];
  for (const number of measured) chunks.push(await read(number));
  return { chunks, audio: await read(work.chunks.length) };
}

const toText = ({ requests, share }: Read) => `${requests} requests, ${Math.round(share * 100)} %`;

// An eighth of the video, two keyframes before it, what ffmpeg probes at the start, and what its buffers hold.
const aboutItsShare = 0.45;

it.for<[Container, { requests: number; share: number }]>([
  ['indexAtEnd', { requests: 4, share: aboutItsShare }],
  ['indexInFront', { requests: 2, share: aboutItsShare }],
  ['matroska', { requests: 4, share: aboutItsShare }],
  // ffmpeg seeks by bisection.
  ['transportStream', { requests: 30, share: aboutItsShare }],
  ['programStream', { requests: 30, share: aboutItsShare }],
  // ffmpeg reads up to the time.
  ['matroskaWithoutIndex', { requests: 4, share: 1.4 }],
  ['flash', { requests: 4, share: 1.4 }],
  // ffmpeg reads the head of every fragment first.
  ['inFragments', { requests: 4, share: 1.6 }],
])('a chunk of a video %s reads at most %o', async ([container, limits], { annotate }) => {
  const { chunks, audio } = await readsOf(container);
  await annotate(`chunks ${chunks.map(toText).join('; ')}; audio ${toText(audio)}`);
  for (const { requests, share } of chunks) {
    expect(requests).toBeLessThanOrEqual(limits.requests);
    expect(share).toBeLessThan(limits.share);
  }
  expect(audio.requests).toBeLessThanOrEqual(4);
  expect(audio.share).toBeLessThan(2.2);
});
