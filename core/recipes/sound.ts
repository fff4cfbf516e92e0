import { audioCodecArguments, probedAudioCodec, withoutExcess, withoutGaps } from '../media/audio-codecs.ts';
import type { CommandInput } from '../media/command.ts';
import type { Expectation } from '../media/expectation.ts';
import type { VideoFormat } from '../media/formats.ts';
import type { AudioStream, Probe } from '../media/probe.ts';
import { mainAudio } from '../media/streams.ts';

/** What becomes of a video's sound. */
export type SoundChange = {
  audioBitrateKbps: number;
  /** Filters that it passes, such as `atempo=1.5`. */
  soundFilters?: string[];
  isSilent?: boolean;
  /** A file of ours that has the track in place of the input's, and nothing else: the command's second input. */
  soundFrom?: CommandInput;
};

/** The track that goes into the output, if any does. */
export function keptSound(probe: Probe, { isSilent = false }: SoundChange): AudioStream | undefined {
  return isSilent ? undefined : mainAudio(probe);
}

/** What the finished file's sound must be. */
export function soundExpectation(
  audio: AudioStream | undefined,
  format: VideoFormat,
): Pick<Expectation, 'audio'> {
  return audio ? { audio: { codec: probedAudioCodec(format) } } : {};
}

/** Arguments that map, filter and encode the track; none where there is none. */
export function soundArguments(
  audio: AudioStream | undefined,
  {
    format,
    audioBitrateKbps: bitrateKbps,
    soundFilters = [],
    soundFrom,
  }: SoundChange & { format: VideoFormat },
): string[] {
  if (audio === undefined) return [];
  return [
    ...['-map', soundFrom ? '1:a:0' : `0:${audio.index}`],
    ...['-af', [withoutGaps, ...soundFilters, ...withoutExcess(audio, format)].join(',')],
    ...audioCodecArguments(audio, { format, bitrateKbps }),
    ...languageArguments(audio),
  ];
}

/** Arguments that say what language the track is in, where that is known. */
export function languageArguments({ language }: AudioStream): string[] {
  return language ? ['-metadata:s:a:0', `language=${language}`] : [];
}
