import {
  type CostTable,
  type EncodeCost,
  encodeSeconds,
  lineOf,
  relativeFrameRate,
} from '@media-jobs/video/cost-model';
import { defaultCrf, type VideoCodec, videoCodecs } from '@media-jobs/video/media';
import { geometricMean } from '../bench/harness/figures/figure.ts';
import { calibrationSource, contents } from '../bench/harness/model/calibration-contents.ts';
import type { Content } from '../bench/harness/model/generated-source.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds, round } from './measure.ts';
import { encoderNames, sample } from './sample.ts';
import { makeFile } from './source-file.ts';

const rates = { usual: 25, high: 50 };

/** The exponents of the frame rate of every encoder, by ffmpeg's name. */
export async function measureFrameRates(
  machine: Machine,
  { encode }: Pick<CostTable, 'encode'>,
): Promise<Record<string, Pick<EncodeCost, 'frameRateExponent'>>> {
  const lines: Record<string, Pick<EncodeCost, 'frameRateExponent'>> = {};
  for (const codec of videoCodecs) {
    const line = lineOf(encode, encoderNames[codec]);
    const changes: number[] = [];
    for (const content of contents) changes.push(await measureChange(machine, { codec, line, content }));
    machine.print(`  ${encoderNames[codec]}: ${changes.map(round).join(', ')}`);
    const higher = Math.log(relativeFrameRate({ framesPerSecond: rates.high }));
    lines[encoderNames[codec]] = { frameRateExponent: round(Math.log(geometricMean(changes)) / higher) };
  }
  return lines;
}

/**
 * The time of a pixel at the high rate, divided by that at the usual one. What is special about the content cancels out: each
 * time counts relative to the line of the encoder.
 */
async function measureChange(
  machine: Machine,
  { codec, line, content }: { codec: VideoCodec; line: EncodeCost; content: Content },
): Promise<number> {
  const miss = async (framesPerSecond: number) => {
    const file = await makeFile(machine, 'frame-rate', calibrationSource(content, { framesPerSecond }));
    const decode = await decodeSeconds(machine, file.path);
    const measured = await sample(machine, { file, decode }, { codec, crf: defaultCrf[codec] });
    return measured.encodeSeconds / encodeSeconds({ ...line, frameRateExponent: 0 }, measured);
  };
  return (await miss(rates.high)) / (await miss(rates.usual));
}
