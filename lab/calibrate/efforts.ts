import { type CostTable, type EncodeCost, lineOf } from '@media-jobs/video/cost-model';
import {
  defaultCrf,
  defaultPreset,
  type Preset,
  presets,
  type VideoCodec,
  videoCodecArguments,
  videoCodecs,
} from '@media-jobs/video/media';
import { calibrationSource, contents } from '../bench/harness/model/calibration-contents.ts';
import type { Machine } from './machine.ts';
import { decodeSeconds, round } from './measure.ts';
import { encoderNames, sample } from './sample.ts';
import { makeFile } from './source-file.ts';

/** The slowest efforts take a minute for each second of a larger video. */
const size = { width: 640, height: 360 };

/** A calm video and a grainy one: a fast effort leaves out more of what a grainy one needs. */
const measuredContents = contents.slice(0, 2);

/** The efforts of every encoder, by ffmpeg's name. */
export async function measureAllEfforts(
  machine: Machine,
  table: Pick<CostTable, 'encode'>,
): Promise<Record<string, Pick<EncodeCost, 'efforts'>>> {
  const encode: Record<string, Pick<EncodeCost, 'efforts'>> = {};
  for (const codec of videoCodecs) {
    const { start } = lineOf(table.encode, encoderNames[codec]);
    encode[encoderNames[codec]] = { efforts: await measureEfforts(machine, { codec, start }) };
  }
  return encode;
}

/** The time of each effort relative to the default one, without the start of the encoder, by the value of ffmpeg's option. */
async function measureEfforts(
  machine: Machine,
  { codec, start }: { codec: VideoCodec; start: EncodeCost['start'] },
): Promise<Record<string, number>> {
  const sources = [];
  for (const [number, content] of measuredContents.entries()) {
    const file = await makeFile(machine, `effort-${number}`, { ...calibrationSource(content), size });
    sources.push({ file, decode: await decodeSeconds(machine, file.path) });
  }
  const optionValue = (preset: Preset) => {
    const args = videoCodecArguments(codec, { format: 'mkv', quality: { crf: defaultCrf[codec] }, preset });
    return args[args.indexOf(codec === 'vp9' ? '-cpu-used' : '-preset') + 1] ?? '';
  };
  const seconds: Record<string, number> = {};
  // Several presets may have one value.
  for (const [value, preset] of new Map(presets.map((preset) => [optionValue(preset), preset]))) {
    let sum = 0;
    for (const source of sources) {
      const { encodeSeconds } = await sample(machine, source, { codec, crf: defaultCrf[codec], preset });
      sum += encodeSeconds - start.seconds;
    }
    seconds[value] = sum;
    machine.print(`  ${value}: ${round(sum)} s`);
  }
  const base = seconds[optionValue(defaultPreset[codec])] ?? Number.NaN;
  return Object.fromEntries(Object.entries(seconds).map(([value, each]) => [value, round(each / base)]));
}
