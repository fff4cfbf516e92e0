import { expect, it } from 'vitest';
import { copiedCodecs } from '../../../../core/media/codecs/copied-codecs.ts';
import { mediaDecoders } from '../../../../core/media/codecs/input-decoders.ts';

/** Codecs whose decoders have other names. */
const decoderOf: Record<string, string> = { dts: 'dca', mp3: 'mp3float', mp2: 'mp2float' };

it('every codec that a recipe copies can be read', () => {
  const copied = Object.values(copiedCodecs).flatMap(({ video, audio }) => [...video, ...audio]);
  expect(
    copied.map((codec) => decoderOf[codec] ?? codec).filter((name) => !mediaDecoders.includes(name)),
  ).toEqual([]);
});

it('no decoder is listed twice', () => {
  expect(new Set(mediaDecoders).size).toBe(mediaDecoders.length);
});
