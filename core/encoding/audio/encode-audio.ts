import {
  type AudioFormat,
  audioCodecArguments,
  fillAudioGaps,
  limitDownmix,
  probedAudioCodec,
} from '../../media/codecs/audio-codecs.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { containerArguments, type VideoFormat } from '../../media/formats.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, mainAudio, requireAudio } from '../../media/probe/streams.ts';
import { dropOtherStreams, singleOutput } from '../outputs.ts';
import type { Plan, PlanInput } from '../plan.ts';

/** What becomes of a video's sound. */
export type AudioOptions = {
  audioBitrateKbps: number;
  /** Filters that it passes, such as `atempo=1.5`. */
  audioFilters?: string[];
  isMuted?: boolean;
  /** A file of ours that has the track in place of the input's, and nothing else: the command's second input. */
  audioSource?: CommandInput;
};

/** The track that goes into the output, if any does. */
export function selectAudio(probe: Probe, { isMuted = false }: AudioOptions): AudioStream | undefined {
  return isMuted ? undefined : mainAudio(probe);
}

/** What the finished file's sound must be. */
export function audioExpectation(
  audio: AudioStream | undefined,
  format: VideoFormat,
): Pick<OutputExpectation, 'audio'> {
  return audio ? { audio: { codec: probedAudioCodec(format) } } : {};
}

/** Arguments that map, filter and encode the track; none where there is none. */
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
    ...languageArguments(audio),
  ];
}

/** Arguments that say what language the track is in, where that is known. */
export function languageArguments({ language }: AudioStream): string[] {
  return language ? ['-metadata:s:a:0', `language=${language}`] : [];
}

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
