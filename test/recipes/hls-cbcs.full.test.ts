import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import type { hls } from '../../core/recipes/catalog/streaming/hls.ts';
import { chunkSource } from '../builders/chunking/chunk-sources.ts';
import { encodeBothWays } from '../builders/chunking/encode-both-ways.ts';
import { playlistLines } from '../builders/chunking/expect-single-pass-stream.ts';
import {
  readDash,
  readMasterPlaylist,
  readMediaPlaylist,
  readSegmentIndex,
} from '../builders/measure/read-manifests.ts';
import { bareFfmpegOutput } from '../builders/media/bare-ffmpeg.ts';
import { aStreamingClip } from '../builders/media/streaming-clip.ts';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const key = '00112233445566778899aabbccddeeff';
const iv = 'f0e0d0c0b0a090807060504030201000';
const keyId = '0f0e0d0c-0b0a-0908-0706-050403020100';
const keyUri = 'https://keys.example/film?viewer=1';

type HlsRecipe = z.input<typeof hls.request>;

const recipe = {
  name: 'hls',
  codecs: ['h264', 'h265'],
  segmentSeconds: 4,
  maxHeight: 360,
  preset: 'veryfast',
} satisfies HlsRecipe;

const encryption = { scheme: 'cbcs', key, keyUri } as const;

let clear: EncodedFiles;
let encrypted: EncodedFiles;
let named: EncodedFiles;

beforeAll(async () => {
  const source = await aStreamingClip();
  clear = await encodeAll(source, 'm3u8', recipe);
  encrypted = await encodeAll(source, 'm3u8', { ...recipe, encryption });
  const chosen = { ...encryption, iv: iv.toUpperCase(), keyId: keyId.replaceAll('-', '').toUpperCase() };
  named = await encodeAll(source, 'm3u8', { ...recipe, codecs: ['h264'], encryption: chosen });
});

const videos = ['360p', '240p', '360p-h265', '240p-h265'];

describe('a stream encrypted by cbcs', () => {
  it.each([...videos, 'audio'])('has the frames of the clear %s for whoever has the key', async (name) => {
    const wanted = await frames(encrypted.clearPaths.get(name) ?? '');
    expect(wanted.length).toBeGreaterThan(180);
    expect(await frames(encrypted.paths.get(name) ?? '', key)).toEqual(wanted);
  });

  it.each([...videos, 'audio'])('has no frame of the clear %s for others', async (name) => {
    const wanted = new Set((await frames(encrypted.clearPaths.get(name) ?? '')).map(digestOf));
    const found = await frames(encrypted.paths.get(name) ?? '', '0'.repeat(32)).catch(() => []);
    // The clip is silent but for a tone, and a packet of silence has no whole block.
    if (name === 'audio') expect(found.map(digestOf)).not.toEqual([...wanted]);
    else expect(found.filter((line) => wanted.has(digestOf(line)))).toEqual([]);
  });

  it.each(videos)('has segments and keyframes of %s that decode by themselves', async (name) => {
    const bytes = await readFile(encrypted.paths.get(name) ?? '');
    const decoded = async (playlist: string) => {
      const { initSection, segments } = readMediaPlaylist(await encrypted.text(playlist));
      const init = bytes.subarray(0, initSection.length);
      return Promise.all(
        segments.map(async ({ offset, length }) => {
          const path = join(encrypted.directory, `${playlist}-${offset}.mp4`);
          await writeFile(path, Buffer.concat([init, bytes.subarray(offset, offset + length)]));
          return (await frames(path, key)).map(digestOf);
        }),
      );
    };
    const wanted = (await frames(encrypted.clearPaths.get(name) ?? '')).map(digestOf);
    const segments = await decoded(`${name}-playlist`);
    expect(segments).toHaveLength(2);
    expect(segments.flat()).toEqual(wanted);
    const keyframes = await decoded(`${name}-keyframes`);
    expect(keyframes.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
    expect(wanted).toEqual(expect.arrayContaining(keyframes.flat()));
  });

  it.each([...videos, 'audio'])(
    'has the same bytes of %s in HLS and in DASH, up to the end of the file',
    async (name) => {
      const path = encrypted.paths.get(name) ?? '';
      const bytes = await readFile(path);
      const manifest = readDash(await encrypted.text('dash'));
      const { index } =
        [...manifest.videos, ...manifest.audios].find(({ file }) => file === basename(path)) ?? {};
      if (index === undefined) throw new Error(`The manifest does not name ${name}`);
      const end = index.offset + index.length;
      const fragments = readSegmentIndex(bytes.subarray(index.offset, end), end);
      const { initSection, segments } = readMediaPlaylist(await encrypted.text(`${name}-playlist`));
      expect(initSection.length).toBe(index.offset);
      expect(fragments.map(({ offset }) => offset)).toEqual(
        expect.arrayContaining(segments.map(({ offset }) => offset)),
      );
      for (const each of [fragments, segments]) {
        const last = each.at(-1);
        expect((last?.offset ?? 0) + (last?.length ?? 0)).toBe(bytes.length);
      }
      for (const { offset } of fragments)
        expect(bytes.toString('latin1', offset + 4, offset + 8)).toBe('moof');
    },
  );

  it('states how it is encrypted: with values from its job, or with those of the request', async () => {
    const jobId = /default_KID="([^"]*)"/.exec(await encrypted.text('dash'))?.[1] ?? '';
    expect(jobId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    for (const [files, id] of [
      [encrypted, jobId],
      [named, keyId],
    ] as const) {
      const kid = Buffer.from(id.replaceAll('-', ''), 'hex');
      for (const name of ['240p', 'audio'])
        expect((await readFile(files.paths.get(name) ?? '')).includes(kid)).toBe(true);
      expect(
        (await files.text('dash')).match(new RegExp(`value="cbcs" cenc:default_KID="${id}"`, 'g')),
      ).toHaveLength(readDash(await files.text('dash')).videos.length / 2 + 1);
    }
    const tag = `METHOD=SAMPLE-AES,URI="${keyUri}",IV=0x${iv},KEYFORMAT="identity",KEYFORMATVERSIONS="1"\n`;
    expect(await named.text('hls')).toContain(`#EXT-X-SESSION-KEY:${tag}`);
    for (const name of ['240p-playlist', '240p-keyframes', 'audio-playlist'])
      expect(await named.text(name)).toContain(`#EXT-X-KEY:${tag}`);
    expect(await encrypted.text('hls')).not.toContain(iv);
  });

  it('declares the codecs of the clear one, and at least its bit rates', async () => {
    const [wanted, found] = [clear, encrypted].map((files) => files.text('hls'));
    const [before, after] = [
      readMasterPlaylist((await wanted) ?? ''),
      readMasterPlaylist((await found) ?? ''),
    ];
    expect(after.sizes.map(({ codecs }) => codecs)).toEqual(before.sizes.map(({ codecs }) => codecs));
    for (const [size, { bitsPerSecond, codecs }] of before.sizes.entries()) {
      // x265 does not write as many bytes the next time.
      if (!codecs.includes('avc1')) continue;
      expect(after.sizes[size]?.bitsPerSecond).toBeGreaterThan(bitsPerSecond);
    }
  });
});

it('chunks are encrypted as a single pass is', async () => {
  const source = await chunkSource('openGop', { pixels: '320x240' });
  const both = await encodeBothWays(source, 'm3u8', { ...recipe, encryption });
  expect(both.work.chunks.length).toBeGreaterThan(1);
  const media = both.files.filter(({ output }) => output.track);
  expect(media).toHaveLength(3);
  for (const { single, chunked } of media) {
    const [wanted, found] = [await frames(single, key), await frames(chunked, key)];
    expect(found.map(timeOf)).toEqual(wanted.map(timeOf));
  }
  const playlists = both.files.filter(({ output }) => output.expectation?.referencesFiles);
  for (const { single, chunked } of playlists)
    expect(await playlistLines(chunked)).toEqual(await playlistLines(single));
});

/** A line of time and digest for each frame that ffmpeg decodes. */
async function frames(path: string, decryptionKey?: string): Promise<string[]> {
  const options = decryptionKey === undefined ? [] : ['-decryption_key', decryptionKey];
  const lines = (await bareFfmpegOutput([...options, '-xerror', '-i', path, '-f', 'framemd5', '-']))
    .toString()
    .split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function timeOf(line: string): string {
  return line.split(',').slice(0, -1).join();
}

function digestOf(line: string): string {
  return line.split(',').at(-1) ?? '';
}
