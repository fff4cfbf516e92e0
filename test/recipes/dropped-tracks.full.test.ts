// @module-tag pipelines
// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { bareFfmpeg } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';

const video = ['-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=2'];
const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=2'];
const encoded = ['-c:v', 'libx264', '-c:a', 'aac'];

/** A file that ffmpeg makes with subtitles of one cue. */
async function aSubtitledFile(name: string, options: string[], inputs = [...video, ...tone]): Promise<string> {
  const folder = await aTemporaryFolder();
  await writeFile(join(folder, 'cues.srt'), '1\n00:00:00,500 --> 00:00:01,000\nHello\n');
  await bareFfmpeg(['-v', 'error', ...inputs, '-i', join(folder, 'cues.srt'), ...options, join(folder, name)]);
  return join(folder, name);
}

/** The file with this text in place of another one of the same length, such as the tag of a codec. */
async function retagged(path: string, from: string, to: string): Promise<string> {
  const file = (await readFile(path)).toString('latin1');
  if (!file.includes(from)) throw new Error(`${path} has no ${from}`);
  await writeFile(path, Buffer.from(file.replaceAll(from, to), 'latin1'));
  return path;
}

const unknownAudio = async () =>
  retagged(await aSubtitledFile('ac4.mp4', ['-map', '0:v', '-map', '1:a', '-c:a', 'libopus']), 'Opus', 'ac-4');

it('a video whose audio no decoder has is encoded without it, with a warning', async () => {
  const { outputs, warnings } = await runAsWorker(await unknownAudio(), 'mp4', [{ name: 'compress' }]);
  expect(outputs[0]?.probe?.streams).toMatchObject([{ kind: 'video' }]);
  const message = expect.stringMatching(/^Audio track 0 \(.*ac-?4\) is left out: it is ac-?4, which no decoder/);
  expect(warnings).toEqual([{ code: 'TRACK_DROPPED', message }]);
});

it('a recipe that needs audio rejects a codec that no decoder has by its name', async () => {
  const run = runAsWorker(await unknownAudio(), 'mp3', [{ name: 'extract-audio' }]);
  const message = expect.stringMatching(/^The audio of the input is ac-?4, which no decoder/);
  await expect(run).rejects.toMatchObject({ code: 'INPUT_UNSUPPORTED', retryable: false, message });
});

const withSubtitles = ['-map', '0:v', '-map', '1:a', '-map', '2', ...encoded];

/** Subtitles whose codec is changed in the header. */
const changed = {
  'pgs.mkv': async () =>
    retagged(await aSubtitledFile('pgs.mkv', [...withSubtitles, '-c:s', 'srt']), 'S_TEXT/UTF8', 'S_HDMV/PGS\0'),
  'wvtt.mp4': async () =>
    retagged(await aSubtitledFile('wvtt.mp4', [...withSubtitles, '-c:s', 'mov_text']), 'tx3g', 'wvtt'),
};

it.each([
  ['pgs.mkv', 'mp4', { name: 'remux' }],
  ['pgs.mkv', 'webm', { name: 'transcode', codec: 'vp9', preset: 'ultrafast' }],
  ['pgs.mkv', 'm3u8', { name: 'hls' }],
  ['pgs.mkv', 'mov', { name: 'clip', start: 0, end: 1, accuracy: 'keyframe' }],
  ['wvtt.mp4', 'mkv', { name: 'remux' }],
  ['wvtt.mp4', 'm3u8', { name: 'hls' }],
] as const)('subtitles of %s are left out of %s by %o, which warns if it keeps any', async (name, format, recipe) => {
  const { warnings } = await runAsWorker(await changed[name](), format, [recipe]);
  const message = expect.stringMatching(
    /^Subtitle track 0 \(.*\) is left out: \w+ cannot hold (hdmv_pgs_subtitle|wvtt)$/,
  );
  expect(warnings).toEqual(recipe.name === 'transcode' ? [] : [{ code: 'SUBTITLE_DROPPED', message }]);
});

it('subtitles that the result has are no reason for a warning', async () => {
  const source = await aSubtitledFile('text.mkv', withSubtitles);
  for (const format of ['mp4', 'mkv'] as const) {
    expect((await runAsWorker(source, format, [{ name: 'remux' }])).warnings).toEqual([]);
  }
  expect((await runAsWorker(source, 'm3u8', [{ name: 'hls' }])).warnings).toEqual([]);
});
