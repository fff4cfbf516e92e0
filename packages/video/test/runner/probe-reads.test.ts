import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { expect, it } from 'vitest';
import { ambisonicMp4 } from '../builders/media/ambisonic-clip.ts';
import { bareFfmpeg, ffmpegPrograms } from '../builders/media/bare-ffmpeg.ts';
import { lateTimeline } from '../builders/media/late-timeline.ts';
import { anEncoder } from '../builders/recipes/encode.ts';

/** An ffprobe that records its calls. One whose arguments have `endless` never ends. */
async function recordedFfprobe({ endless = 'none' } = {}) {
  const folder = await aTemporaryFolder();
  const [ffprobePath, calls] = [join(folder, 'ffprobe'), join(folder, 'calls')];
  const script = [
    '#!/bin/sh',
    `echo "$*" >> ${calls}`,
    `case "$*" in *"${endless}"*) exec sleep 3600;; esac`,
    `exec ${ffmpegPrograms.ffprobePath} "$@"`,
  ];
  await writeFile(ffprobePath, `${script.join('\n')}\n`);
  await chmod(ffprobePath, 0o755);
  const read = async () => (await readFile(calls, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return { ffprobePath, calls: read };
}

const lastPackets = 'packet=pts_time -print_format';

it('no read of ffprobe is repeated', async () => {
  const { ffprobePath, calls } = await recordedFfprobe();
  await anEncoder({ ffprobePath }).probe(await lateTimeline('mkv'));
  const all = await calls();
  expect(all.filter((call) => call.includes(lastPackets)).length).toBeGreaterThan(0);
  expect(all).toEqual([...new Set(all)]);
});

it('a probe that is cancelled while it reads the last packets ends with the reason', async () => {
  const { ffprobePath, calls } = await recordedFfprobe({ endless: lastPackets });
  const stop = new AbortController();
  const probing = anEncoder({ ffprobePath }).probe(await lateTimeline('mkv'), { signal: stop.signal });
  const cancelled = new Error('cancelled');
  const expected = expect(probing).rejects.toBe(cancelled);
  await expect.poll(calls).toContainEqual(expect.stringContaining(lastPackets));
  stop.abort(cancelled);
  await expected;
});

it('the index of an MP4 at a URL is read once, for the languages and the spatial audio of its tracks', async () => {
  const path = join(await aTemporaryFolder(), 'two-tracks.mp4');
  await bareFfmpeg([...['-v', 'error', '-i', await ambisonicMp4(), '-map', '0', '-map', '0', '-c', 'copy', path]]);
  const file = await readFile(path);
  const server = await aWebServer(({ headers }, response) => {
    const start = Number(/^bytes=(\d+)-/.exec(String(headers.range))?.[1] ?? 0);
    const range = `bytes ${start}-${file.length - 1}/${file.length}`;
    response.writeHead(206, { 'content-range': range, 'accept-ranges': 'bytes' }).end(file.subarray(start));
  });
  const offsets: number[] = [];
  const readAt = async (offset: number, length: number) => {
    offsets.push(offset);
    return file.subarray(offset, offset + length);
  };
  const probe = await anEncoder().probe(`${server.origin}/two-tracks.mp4`, {
    remote: { readAt, sizeBytes: file.length },
  });
  expect(probe.streams).toHaveLength(2);
  expect(offsets).toEqual([...new Set(offsets)]);
});
