import {
  type AudioFormat,
  audioCodecArguments,
  fillAudioGaps,
  limitDownmix,
  probedAudioCodec,
} from '../../media/codecs/audio-codecs.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, mainAudio, requireAudio } from '../../media/probe/streams.ts';
import type { AudioOptions } from '../encoding.ts';
import { dropOtherStreams, languageArguments, singleOutput } from '../outputs.ts';
import type { Plan, PlanInput } from '../plan.ts';

/** The audio track of the output; undefined for a muted or silent video. */
export function selectAudio(probe: Probe, { isMuted = false }: AudioOptions): AudioStream | undefined {
  return isMuted ? undefined : mainAudio(probe);
}

export function audioExpectation(
  audio: AudioStream | undefined,
  format: VideoFormat,
): Pick<OutputExpectation, 'audio'> {
  return audio ? { audio: { codec: probedAudioCodec(format) } } : {};
}

/** Arguments that map, filter and encode the audio track. */
export function audioArguments(
  audio: AudioStream | undefined,
  {
    format,
    audioBitrateKbps: bitrateKbps,
    audioFilters = [],
    audioSource,
  }: AudioOptions & { format: VideoFormat },
): string[] {
  if (audio === undefined) return [];
  return [
    ...['-map', audioSource ? '1:a:0' : `0:${audio.index}`],
    ...['-af', [fillAudioGaps, ...audioFilters, ...limitDownmix(audio, format)].join(',')],
    ...audioCodecArguments(audio, { format, bitrateKbps }),
    ...languageArguments('a', [audio], format),
  ];
}

/** A plan of one command that encodes only the audio of the input. */
export function encodeAudio(
  input: PlanInput<unknown, AudioFormat>,
  {
    bitrateKbps,
    audioFilters = [],
    audioSource,
  }: { bitrateKbps: number } & Pick<AudioOptions, 'audioFilters' | 'audioSource'>,
): Plan {
  const audio = requireAudio(input.probe);
  const { format } = input;
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
