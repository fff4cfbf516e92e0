import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { copiedCodecs } from '../../../src/media/codecs/copied-codecs.ts';
import { decodableCodecs, mediaDecoders } from '../../../src/media/codecs/input-decoders.ts';
import { ffmpegPrograms } from '../../builders/media/bare-ffmpeg.ts';

it('every codec that a recipe copies can be read', () => {
  const copied = Object.values(copiedCodecs).flatMap(({ video, audio }) => [...video, ...audio]);
  expect(copied.filter((codec) => !decodableCodecs.has(codec))).toEqual([]);
});

it('the codecs of all decoders are those that ffmpeg states', async () => {
  const { stdout } = await promisify(execFile)(ffmpegPrograms.ffmpegPath, ['-hide_banner', '-codecs']);
  for (const [, codec = '', name = ''] of stdout.matchAll(/^ D\S+ (\S+) +(.*)$/gm)) {
    const decoders = /\(decoders: ([^)]*)\)/.exec(name)?.[1]?.trim().split(' ') ?? [codec];
    const isAllowed = decoders.some((decoder) => mediaDecoders.includes(decoder));
    expect([codec, decodableCodecs.has(codec)]).toEqual([codec, isAllowed]);
  }
});

it('no decoder is listed twice', () => expect(new Set(mediaDecoders).size).toBe(mediaDecoders.length));
