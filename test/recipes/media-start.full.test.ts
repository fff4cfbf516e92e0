// @module-tag nightly
// @module-tag timing
import { createHash } from 'node:crypto';
import type { Format } from '@media-jobs/video/media';
import { bareFfmpegOutput, encode, generatedFile, srtOf } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { expectSinglePassFile } from '../builders/chunking/expect-single-pass-file.ts';
import { encodeAll } from '../builders/recipes/encode-all.ts';

const dataUrl = (text: string) => `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;

/** A stream that starts 0.6 s before the video and the audio: data as of teletext, or subtitles. */
const earlyStreams = {
  ts: { input: ['-f', 'data', '-i', dataUrl('page 100')], codec: ['-c:d', 'copy'] },
  mkv: { input: ['-i', dataUrl(srtOf('first', 'second'))], codec: ['-c:s', 'srt'] },
};

type Container = keyof typeof earlyStreams;

async function clip(container: Container, kind: 'early' | 'plain'): Promise<string> {
  const { input, codec } = kind === 'early' ? earlyStreams[container] : { input: [], codec: [] };
  return await generatedFile(`${kind}.${container}`, [
    ...['-itsoffset', '0.6', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=5:duration=40'],
    ...['-itsoffset', '0.6', '-f', 'lavfi', '-i', 'sine=880:duration=40', ...input],
    ...['-map', '0', '-map', '1', ...(kind === 'early' ? ['-map', '2'] : [])],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '5', '-pix_fmt', 'yuv420p', '-c:a', 'mp2', ...codec],
  ]);
}

/** The hash of the decoded frames and samples of a file and of their times, and when they start. */
async function decoded(path: string): Promise<{ hash: string; starts: (string | undefined)[] }> {
  const streams = ['-map', '0:v:0?', '-map', '0:a:0?'];
  const text = String(await bareFfmpegOutput(['-i', path, ...streams, '-f', 'framehash', '-hash', 'md5', '-']));
  const lines = text.split('\n');
  const starts = ['0,', '1,'].map((stream) => lines.find((line) => line.startsWith(stream)));
  return { hash: createHash('sha256').update(lines.toSorted().join()).digest('hex'), starts };
}

const recipes: [Format, Parameters<typeof encode>[2]][] = [
  ['png', { name: 'thumbnail', at: 35 }],
  ['gif', { name: 'gif', start: 35, seconds: 1, fps: 5, width: 160 }],
  ['jpg', { name: 'sprite', every: 4 }],
  ['mp4', { name: 'compress' }],
  ['mp4', { name: 'mute' }],
  ['mp4', { name: 'clip', start: 35, end: 37 }],
  ['mp3', { name: 'extract-audio' }],
];
const keyframes = { name: 'clip', start: 35, end: 37, accuracy: 'keyframe' } as const;
const cases = (Object.keys(earlyStreams) as Container[]).flatMap((container) =>
  recipes.map(([format, recipe]) => ({ container, format, recipe })),
);
cases.push({ container: 'mkv', format: 'mkv', recipe: keyframes });

it.each(cases)('time 0 is the first video or audio, not an earlier stream: $container $recipe', async (each) => {
  const [early, plain] = await Promise.all(
    (['early', 'plain'] as const).map(async (kind) => {
      const [first] = await encode(await clip(each.container, kind), each.format, each.recipe);
      return first?.path ?? '';
    }),
  );
  expect(await decoded(early ?? '')).toEqual(await decoded(plain ?? ''));
});

it.each(['ts', 'mkv'] as const)('so do streams: %s', async (container) => {
  const [early, plain] = await Promise.all(
    (['early', 'plain'] as const).map(async (kind) => {
      const { paths } = await encodeAll(await clip(container, kind), 'm3u8', { name: 'hls', preset: 'ultrafast' });
      return (await decoded(paths.get('hls') ?? '')).starts;
    }),
  );
  expect(early).toEqual(plain);
});

it.each([
  ['ts', { name: 'compress' }],
  ['ts', { name: 'clip', start: 33, end: 39 }],
  ['mkv', { name: 'compress' }],
  ['mkv', { name: 'clip', start: 12, end: 37 }],
] as const)('so do chunks: %s %o', async (container, recipe) => {
  await expectSinglePassFile(await encodeBothWays(await clip(container, 'early'), 'mp4', recipe));
});
