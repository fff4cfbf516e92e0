import {
  type AudioFormat,
  audioCodecArguments,
  fillAudioGaps,
  limitDownmix,
  probedAudioCodec,
} from '../../media/codecs/audio-codecs.ts';
import { containerArguments } from '../../media/formats.ts';
import { endSecondsOf, requireAudio } from '../../media/probe/streams.ts';
import type { Plan, PlanInput } from '../../recipes/recipe.ts';
import { dropOtherStreams, singleOutput } from '../outputs.ts';
import type { AudioOptions } from './audio.ts';

/** A plan of one command that encodes the input's sound alone. */
export function encodeAudio(
  input: PlanInput<unknown>,
  {
    bitrateKbps,
    audioFilters = [],
    audioSource,
  }: { bitrateKbps: number } & Pick<AudioOptions, 'audioFilters' | 'audioSource'>,
): Plan {
  const audio = requireAudio(input.probe);
  const format = input.format as AudioFormat;
  const durationSeconds = audio.durationSeconds ?? endSecondsOf(input.probe, [audio]);
  const { output, path } = singleOutput(input, {
    durationSeconds,
    audio: { codec: probedAudioCodec(format, audio) },
  });
  const outputArguments = [
    ...['-map', audioSource ? '0:a:0' : `0:${audio.index}`],
    ...['-af', [fillAudioGaps, ...audioFilters, ...limitDownmix(audio, format)].join(',')],
    ...audioCodecArguments(audio, { format, bitrateKbps }),
    ...['-vn', ...dropOtherStreams],
    ...containerArguments(format),
    path,
  ];
  return {
    commands: [{ inputs: [audioSource ?? { path: input.inputPath }], outputArguments, durationSeconds }],
    outputs: [output],
  };
}
