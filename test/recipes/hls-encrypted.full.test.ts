// @module-tag streams

import { createDecipheriv } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import type { hls } from '@media-jobs/video/recipes';
import {
  aStreamingClip,
  bareFfmpegOutput,
  bareFfprobe,
  cachedFile,
  readMasterPlaylist,
  readMediaPlaylist,
} from '@media-jobs/video/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { parseByteRange } from '../../core/net/byte-range.ts';
import { type EncodedFiles, encodeAll } from '../builders/recipes/encode-all.ts';

const key = '00112233445566778899aabbccddeeff';
const iv = 'f0e0d0c0b0a090807060504030201000';
const keyUri = 'https://keys.example/film?viewer=1';

type HlsRecipe = z.input<typeof hls.request>;

let clear: EncodedFiles;
let encrypted: EncodedFiles;
let withVector: EncodedFiles;

beforeAll(async () => {
  const source = await aStreamingClip();
  const text = '1\n00:00:01,000 --> 00:00:03,000\nGood evening\n';
  const subtitles = await cachedFile({ name: 'evening.srt', recipe: [text] }, (path) => writeFile(path, text));
  const recipe = {
    name: 'hls',
    segmentSeconds: 2,
    maxHeight: 360,
    preset: 'ultrafast',
    subtitles: [{ url: 'https://customer.example/en.srt', language: 'en' }],
  } satisfies HlsRecipe;
  const encode = (encryption?: HlsRecipe['encryption']) =>
    encodeAll(source, 'm3u8', { ...recipe, encryption }, { 'subtitles.0': subtitles });
  clear = await encode();
  encrypted = await encode({ scheme: 'aes-128', key, keyUri });
  withVector = await encode({ scheme: 'aes-128', key: key.toUpperCase(), iv: iv.toUpperCase(), keyUri });
  for (const { directory } of [encrypted, withVector]) await giveKey(directory, key);
});

/** Puts a key into the playlists as a data URL. From an http URL ffmpeg would request the byte range of the segment. */
async function giveKey(directory: string, hex: string): Promise<void> {
  const uri = `data:application/octet-stream;base64,${Buffer.from(hex, 'hex').toString('base64')}`;
  for (const file of (await readdir(directory)).filter((name) => name.endsWith('.m3u8'))) {
    const path = join(directory, file);
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll(/(?<=METHOD=AES-128,URI=")[^"]*/g, uri));
  }
}

/** Decodes a playlist over HTTP: only there does ffmpeg open ranges that are encrypted one by one. */
async function read({ paths }: EncodedFiles, name: string, output: readonly string[]): Promise<string> {
  const playlist = paths.get(`${name}-playlist`) ?? '';
  const server = await aFileServer(dirname(playlist));
  const input = ['-allowed_extensions', 'ALL', '-i', `${server.origin}/${basename(playlist)}`];
  return (await bareFfmpegOutput([...input, ...output, '-'])).toString();
}

/** A digest of every packet. */
const packetsOf = (files: EncodedFiles, name: string) => read(files, name, ['-c', 'copy', '-f', 'framemd5']);

async function errorsAndFrames(files: EncodedFiles, name: string) {
  // With `-xerror` the first error ends ffmpeg.
  const digests = await read(files, name, ['-xerror', '-f', 'framemd5']).catch(String);
  const lines = digests.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return { errors: lines.filter((line) => !/^0,/.test(line)).join('\n'), frames: lines.length };
}

describe('an encrypted stream', () => {
  it('has the audio packets of the clear one for whoever has the key', async () => {
    const wanted = await packetsOf(clear, 'audio');
    expect(wanted.split('\n').length).toBeGreaterThan(100);
    expect(await packetsOf(encrypted, 'audio')).toBe(wanted);
    expect(await packetsOf(withVector, 'audio')).toBe(wanted);
  });

  it('has a video that ffmpeg decodes as long as the clear one, without an error', async () => {
    for (const files of [clear, encrypted, withVector]) {
      expect(await errorsAndFrames(files, '360p')).toEqual({ errors: '', frames: 189 });
    }
  });

  it('has the subtitles of the clear one for whoever has the key', async () => {
    const segments = async (files: EncodedFiles, read: (range: Buffer, number: number) => Buffer) => {
      const playlist = await files.text('subtitles-1-playlist');
      const bytes = await readFile(files.paths.get('subtitles-1-segments') ?? '');
      const ranges = [...playlist.matchAll(/#EXT-X-BYTERANGE:(\d+)@(\d+)/g)];
      return ranges.map(([, length, offset], number) => {
        const range = bytes.subarray(Number(offset), Number(offset) + Number(length));
        return read(range, number).toString('utf8');
      });
    };
    const wanted = await segments(clear, (range) => range);
    expect(wanted.map((text) => text.includes('Good evening'))).toEqual([true, true, false, false]);
    expect(await segments(encrypted, decrypt)).toEqual(wanted);
    expect(await segments(withVector, (range) => decryptWith(range, Buffer.from(iv, 'hex')))).toEqual(wanted);
    expect((await readFile(encrypted.paths.get('subtitles-1-segments') ?? '')).includes('evening')).toBe(false);
  });

  it('has keyframes that a player decrypts by RFC 8216, section 6.3.6', async () => {
    const { keyframes } = readMasterPlaylist(await encrypted.text('hls'));
    expect(keyframes).toHaveLength(2);
    const { initSection, segments } = readMediaPlaylist(await encrypted.text('360p-keyframes'));
    const bytes = await readFile(encrypted.paths.get('360p') ?? '');
    const init = bytes.subarray(initSection.offset, initSection.offset + initSection.length);
    expect(segments).toHaveLength(4);
    for (const { offset, length } of segments) {
      const start = offset - (offset % 16) - 16;
      const end = Math.ceil((offset + length) / 16) * 16;
      const decipher = createDecipheriv('aes-128-cbc', Buffer.from(key, 'hex'), Buffer.alloc(16));
      const wide = decipher.setAutoPadding(false).update(bytes.subarray(start, end));
      const path = join(encrypted.directory, 'keyframe.mp4');
      await writeFile(path, Buffer.concat([init, wide.subarray(offset - start, offset - start + length)]));
      const frames = ['-select_streams', 'v', '-show_entries', 'frame=pict_type', '-of', 'csv=p=0', path];
      expect((await bareFfprobe(frames))[0]).toMatch(/^I/);
    }
  });

  it('opens with no other key', async () => {
    await giveKey(withVector.directory, '0'.repeat(32));
    const found = await packetsOf(withVector, 'audio').catch(String);
    expect(found).not.toContain('1024,');
  });

  it('has neither a manifest of DASH, which cannot state it, nor a clear file of subtitles', () => {
    const left = [...clear.paths.keys()].filter((name) => !encrypted.paths.has(name));
    expect(left).toEqual(['dash', 'subtitles-1']);
  });

  it('declares the bit rates of the encrypted segments', async () => {
    const { sizes, defaultAudio = '' } = readMasterPlaylist(await encrypted.text('hls'));
    const rateOf = ({ length, seconds = 0 }: { length: number; seconds?: number }) => (8 * length) / seconds;
    const audio = readMediaPlaylist(await readFile(join(encrypted.directory, defaultAudio), 'utf8'));
    for (const { height, bitsPerSecond } of sizes) {
      const { segments } = readMediaPlaylist(await encrypted.text(`${height}p-playlist`));
      // The last segment is short, and does not count by itself.
      const peak = (list: typeof segments) => Math.max(...list.slice(0, -1).map(rateOf));
      expect(bitsPerSecond).toBeGreaterThanOrEqual(Math.floor(peak(segments) + peak(audio.segments)));
    }
  });
});

function decrypt(range: Buffer, number: number): Buffer {
  return decryptWith(range, Buffer.from(number.toString(16).padStart(32, '0'), 'hex'));
}

function decryptWith(range: Buffer, vector: Buffer): Buffer {
  const decipher = createDecipheriv('aes-128-cbc', Buffer.from(key, 'hex'), vector);
  return Buffer.concat([decipher.update(range), decipher.final()]);
}

/** Serves the files of a directory, whole and by ranges, to players of any origin. */
function aFileServer(directory: string): Promise<WebServer> {
  return aWebServer(async ({ path, headers: { range: requested } }, response) => {
    const [name = ''] = path.slice(1).split('?');
    const file = await readFile(join(directory, name)).catch(() => undefined);
    response.setHeader('access-control-allow-origin', '*');
    if (file === undefined) return response.writeHead(404).end();
    const range = parseByteRange(requested, file.length);
    if (range === undefined || range === 'unsatisfiable') return response.writeHead(200).end(file);
    const { start, end } = range;
    response.writeHead(206, { 'content-range': `bytes ${start}-${end - 1}/${file.length}` });
    return response.end(file.subarray(start, end));
  });
}
