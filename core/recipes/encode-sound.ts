import {
  audioCodecArguments,
  probedAudioCodec,
  type SoundFormat,
  withoutExcess,
  withoutGaps,
} from '../media/audio-codecs.ts';
import { containerArguments } from '../media/formats.ts';
import { endOf, requireAudio } from '../media/streams.ts';
import { onlyThese, singleOutput } from './outputs.ts';
import type { Plan, PlanInput } from './recipe.ts';
import type { SoundChange } from './sound.ts';

/** A plan of one command that encodes the input's sound alone. */
export function encodeSound(
  input: PlanInput<unknown>,
  {
    bitrateKbps,
    soundFilters = [],
    soundFrom,
  }: { bitrateKbps: number } & Pick<SoundChange, 'soundFilters' | 'soundFrom'>,
): Plan {
  const audio = requireAudio(input.probe);
  const format = input.format as SoundFormat;
  const durationSeconds = audio.durationSeconds ?? endOf(input.probe, [audio]);
  const { output, path } = singleOutput(input, {
    durationSeconds,
    audio: { codec: probedAudioCodec(format, audio) },
  });
  const outputArguments = [
    ...['-map', soundFrom ? '0:a:0' : `0:${audio.index}`],
    ...['-af', [withoutGaps, ...soundFilters, ...withoutExcess(audio, format)].join(',')],
    ...audioCodecArguments(audio, { format, bitrateKbps }),
    ...['-vn', ...onlyThese],
    ...containerArguments(format),
    path,
  ];
  return {
    commands: [{ inputs: [soundFrom ?? { path: input.inputPath }], outputArguments, durationSeconds }],
    outputs: [output],
  };
}
