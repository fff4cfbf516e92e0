import { type DecodeCost, lineOf } from '@media-jobs/video/cost-model';
import { geometricMean } from '../bench/harness/figures/figure.ts';
import type { sourceEncoders } from '../bench/harness/model/generated-source.ts';
import { fitNonNegative } from './least-squares.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds, round } from './measure.ts';
import { makeFile } from './source-file.ts';

const size = { width: 960, height: 540 };

/** So long that the start of ffmpeg is a small part of a decoding. */
const clipSeconds = 8;

/** The generated sources of each codec, by ffprobe's name, and the options of one with many more bits. */
const codecs: Record<string, { encoder: keyof typeof sourceEncoders; rich: readonly string[] }> = {
  h264: { encoder: 'h264', rich: ['-crf', '14'] },
  hevc: { encoder: 'hevc', rich: ['-crf', '14'] },
  vp9: { encoder: 'vp9', rich: ['-crf', '12'] },
  av1: { encoder: 'av1', rich: ['-crf', '14'] },
  mpeg2video: { encoder: 'mpeg2', rich: ['-q:v', '2'] },
  mpeg4: { encoder: 'mpeg4', rich: ['-q:v', '2'] },
  prores: { encoder: 'prores', rich: ['-profile:v', '3'] },
};

const tenBitSources = [
  { encoder: 'h264TenBit', codec: 'h264' },
  { encoder: 'hevcHdr', codec: 'hevc' },
] as const;

/** Lines of the decoders: a calm and a noisy video of each codec. */
export async function measureDecoders(
  machine: Machine,
): Promise<{ decode: Record<string, DecodeCost>; tenBitDecode: number }> {
  const decode: Record<string, DecodeCost> = {};
  for (const [codec, { encoder, rich }] of Object.entries(codecs)) {
    const points = [await measure(machine, encoder, []), await measure(machine, encoder, rich)];
    const [perMegapixel = 0, perMegabit = 0] = fitNonNegative(
      points.map(({ megapixels, megabits, seconds }) => [megapixels / seconds, megabits / seconds]),
      points.map(() => 1),
    );
    decode[codec] = { perMegapixel: round(perMegapixel), perMegabit: round(perMegabit) };
    machine.print(`  ${codec}: ${JSON.stringify(decode[codec])}`);
  }
  const factors: number[] = [];
  for (const { encoder, codec } of tenBitSources) {
    const { seconds, megapixels, megabits } = await measure(machine, encoder, []);
    const { perMegapixel, perMegabit } = lineOf(decode, codec);
    factors.push(Math.max(1, (seconds - perMegabit * megabits) / (perMegapixel * megapixels)));
  }
  machine.print(`  more than 8 bits: ${factors.map(round).join(', ')}`);
  return {
    decode: { ...decode, other: lineOf(decode, 'mpeg4') },
    tenBitDecode: round(geometricMean(factors)),
  };
}

async function measure(machine: Machine, encoder: keyof typeof sourceEncoders, options: readonly string[]) {
  const content = { kind: 'scene', number: 3, grain: 3 } as const;
  const source = { content, size, framesPerSecond: 25, seconds: clipSeconds, encoder, options };
  const file = await makeFile(machine, `decode-${encoder}`, source);
  const seconds = Math.max(1e-3, (await decodeSeconds(machine, file.path)) - machine.startSeconds);
  return { megapixels: file.megapixels, megabits: file.megabits, seconds };
}
