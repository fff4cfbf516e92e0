// @module-tag audio
// @module-tag sources
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { anEncoder, bareFfmpeg, bareFfprobe, encode, encodeOne } from '@media-jobs/video/testing';
import { expect, it } from 'vitest';
import { encodeAll } from '../builders/recipes/encode-all.ts';
import { runAsWorker } from '../builders/recipes/run-pipeline.ts';

const tags = ['pt-BR', 'pt-PT', 'zh-Hans', 'zh-Hant'];

/** An MKV with two audio tracks and two of subtitles, of these languages. The names of elements are changed. */
async function taggedMkv(
  languages = tags,
  change = (file: string) => file.replaceAll('\x22\xb5\x9c', '\x22\xb5\x9d'),
): Promise<string> {
  const folder = await aTemporaryFolder();
  for (const text of ['Jian', 'Fan']) {
    await writeFile(join(folder, `${text}.srt`), `1\n00:00:00,500 --> 00:00:01,000\n${text}\n`);
  }
  const path = join(folder, 'tagged.mkv');
  await bareFfmpeg([
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=64x36:rate=25:duration=2'],
    ...[...'-f lavfi -i sine=duration=2 -i'.split(' '), join(folder, 'Jian.srt'), '-i', join(folder, 'Fan.srt')],
    ...['-map', '0', '-map', '1', '-map', '1', '-map', '2', '-map', '3', '-c:a', 'aac', '-c:s', 'srt'],
    ...languages.flatMap((tag, index) => [`-metadata:s:${index + 1}`, `language=${tag}`]),
    ...['-metadata:s:1', 'title=Português (Brasil)', '-metadata:s:2', 'title=A "quoted"\nname'],
    path,
  ]);
  const file = (await readFile(path)).toString('latin1');
  await writeFile(path, Buffer.from(change(file), 'latin1'));
  return path;
}

it('the probe has the tags of BCP 47 and the titles of tracks', async () => {
  const { streams } = await anEncoder().probe(await taggedMkv());
  expect(streams.slice(1).map(({ languageTag }) => languageTag)).toEqual(tags);
  expect(streams.map(({ title }) => title).slice(1, 4)).toEqual(['Português (Brasil)', "A 'quoted' name", undefined]);
});

it('languages that a file does not state clearly are guessed, with a warning', async () => {
  const isVoid = (file: string) => file.replace('\x22\xb5\x9c\x83xxx', '\xec\x85\0\0\0\0\0');
  const source = await taggedMkv(['en_US', 'xxx', 'German', 'zh-Hant'], isVoid);
  const { warnings } = await runAsWorker(source, 'mkv', [{ name: 'remux' }]);
  const warning = (message: string) => ({ code: 'LANGUAGE_GUESSED', message });
  expect(warnings).toEqual([
    warning('The language of audio track 0 is taken for en-US: the file calls it en_US'),
    warning('The language of audio track 1 is taken for eng: English is the default of Matroska'),
    warning('The language of subtitle track 0 is taken for de: the file calls it German'),
  ]);
  expect((await runAsWorker(source, 'mkv', [{ name: 'compress' }])).warnings).toEqual([]);
});

it('the probe has the tags that MP4 states', async () => {
  const path = join(await aTemporaryFolder(), 'tagged.mp4');
  const inputs = '-f lavfi -i testsrc2=size=64x36:duration=1 -f lavfi -i sine=duration=1'.split(' ');
  await bareFfmpeg(['-v', 'error', ...inputs, path]);
  const file = await readFile(path);
  const language = Buffer.from('\0\0\0\x13elng\0\0\0\0es-419\0', 'latin1');
  // The header is behind the frames, so only the boxes around the new one change.
  const audio = file.indexOf('soun');
  const boxes = ['moov', 'trak', 'mdia'].map((type) => file.lastIndexOf(type, audio) - 4);
  const media = boxes.at(-1) ?? 0;
  const end = media + file.readUInt32BE(media);
  for (const box of boxes) file.writeUInt32BE(file.readUInt32BE(box) + language.length, box);
  await writeFile(path, Buffer.concat([file.subarray(0, end), language, file.subarray(end)]));
  const { streams } = await anEncoder().probe(path);
  expect(streams.map(({ languageTag }) => languageTag)).toEqual([undefined, 'es-419']);
});

it('a stream for players has the tags and the titles', async () => {
  const { paths } = await encodeAll(await taggedMkv(), 'm3u8', { name: 'hls', preset: 'ultrafast' });
  const playlist = await readFile(paths.get('hls') ?? '', 'utf8');
  for (const tag of tags) expect(playlist).toContain(`LANGUAGE="${tag}"`);
  expect(playlist).toContain('NAME="Português (Brasil)",LANGUAGE="pt-BR"');
  expect(playlist).toContain('NAME="Traditional Chinese",LANGUAGE="zh-Hant"');
});

it.each([
  ['mkv', { name: 'remux' }],
  ['mp4', { name: 'remux' }],
  ['mov', { name: 'remux' }],
] as const)('a remux to %s keeps the tags and the titles', async (format, recipe) => {
  const { path } = await encodeOne(await taggedMkv(), format, recipe);
  const { streams } = await anEncoder().probe(path);
  expect(streams.slice(1).map(({ languageTag }) => languageTag)).toEqual(tags);
  const names = await bareFfprobe(['-show_entries', 'stream_tags=title,handler_name,language', path]);
  expect(names.join('\n')).toContain('Português (Brasil)');
  expect(names.join('\n')).not.toMatch(/language=(?!und|eng)|===/);
});

it('an MKV with tags has the checksum of its tracks', async () => {
  const { path } = await encodeOne(await taggedMkv(), 'mkv', { name: 'remux' });
  const file = await readFile(path);
  const start = file.indexOf('\x16\x54\xae\x6b', file.indexOf('Lavf'), 'latin1') + 4;
  const sizeLength = Math.clz32(file[start] ?? 0) - 23;
  const sizeBytes = file.readUIntBE(start, sizeLength) % 2 ** (7 * sizeLength);
  const tracks = file.subarray(start + sizeLength, start + sizeLength + sizeBytes);
  expect(tracks.toString('latin1')).toContain('zh-Hant');
  expect(tracks.readUInt16BE(0)).toBe(0xbf84);
  expect(tracks.readUInt32LE(2)).toBe(crc32(tracks.subarray(6)));
});

it.each([
  ['mp4', { name: 'transcode', audioTracks: [0, 1], preset: 'ultrafast' }, ['pt-BR', 'pt-PT']],
  ['mp4', { name: 'compress', targetSizeMb: 0.1, preset: 'ultrafast' }, ['pt-BR']],
  ['mkv', { name: 'transcode', audioTracks: [1, 0], preset: 'ultrafast' }, ['pt-PT', 'pt-BR']],
  ['mkv', { name: 'clip', start: 0, end: 1, accuracy: 'keyframe' }, tags],
] as const)('%s by %o keeps the tags', async (format, recipe, expected) => {
  const { path } = await encodeOne(
    await taggedMkv(),
    format,
    structuredClone(recipe) as Parameters<typeof encodeOne>[2],
  );
  const { streams } = await anEncoder().probe(path);
  expect(streams.slice(1).map(({ languageTag }) => languageTag)).toEqual(expected);
});

it('a tag that is longer than any registered one is left out', async () => {
  const long = `de-x-${'private1-'.repeat(6)}a`;
  const { path } = await encodeOne(await taggedMkv(['pt-BR', long, 'zh-Hans', 'zh-Hant']), 'mkv', { name: 'remux' });
  const { streams } = await anEncoder().probe(path);
  expect(streams.slice(1).map(({ languageTag }) => languageTag)).toEqual(['pt-BR', undefined, 'zh-Hans', 'zh-Hant']);
  expect((await readFile(path)).toString('latin1')).not.toContain('===');
});

it.each([
  ['zh-Hant', 'Fan'],
  ['zh-Hans', 'Jian'],
  ['zh', 'Jian'],
] as const)('extract-subtitles finds the track in %s', async (language, text) => {
  const [output] = await encode(await taggedMkv(), 'srt', { name: 'extract-subtitles', language });
  expect(await readFile(output?.path ?? '', 'utf8')).toContain(text);
});
