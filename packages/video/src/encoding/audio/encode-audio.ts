import {
  type AudioFormat,
  type AudioLayout,
  audioCodecArguments,
  fillAudioFromZero,
  fillAudioGaps,
  mixChannels,
  outputChannels,
  probedAudioCodec,
} from '../../media/codecs/audio-codecs.ts';
import type { Argument } from '../../media/ffmpeg/command.ts';
import { type Filter, filter } from '../../media/filters/filter.ts';
import { containerArguments } from '../../media/formats.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, requireAudio } from '../../media/probe/streams.ts';
import type { AudioOptions } from '../encoding.ts';
import { audioTrackArguments, dropOtherStreams, languageArguments, singleOutput } from '../outputs.ts';
import type { Plan, PlanInput } from '../plan.ts';
import { selectAudioTracks } from './audio-tracks.ts';
import { mapAudio } from './map-audio.ts';

/** The audio tracks of the output; none for a muted or silent video. */
export function selectAudio(probe: Probe, { isMuted = false, audioTracks }: AudioOptions): AudioStream[] {
  return isMuted ? [] : selectAudioTracks(probe, audioTracks);
}

export function audioExpectation(
  tracks: readonly AudioStream[],
  options: AudioLayout & Pick<AudioOptions, 'audioTracks'>,
): Pick<OutputExpectation, 'audio'> {
  const [first] = tracks;
  if (first === undefined) return {};
  const codec = probedAudioCodec(options);
  return {
    audio: {
      codec,
      ...(options.audioTracks && { tracks: tracks.length }),
      ...(options.channels === 'source' && { channels: outputChannels(first, options) }),
    },
  };
}

/** A range of a track in samples of the source, counted from the timeline origin. An unset bound is that of the track. */
export type SampleRange = { start?: number | undefined; end?: number | undefined };

/**
 * Arguments that map, filter and encode the audio tracks. `sourceTrack` is the index of the first of them in
 * `audioSource`. `output` is a number that no other output of the command has. `samples` has the range of each track to
 * encode.
 */
export function audioArguments(
  tracks: readonly AudioStream[],
  {
    audioBitrateKbps: bitrateKbps,
    audioFilters = [],
    audioPadding,
    audioSource,
    sourceTrack = 0,
    output,
    samples = [],
    ...options
  }: AudioOptions & AudioLayout & { sourceTrack?: number; output?: number; samples?: readonly SampleRange[] },
): Argument[] {
  return [
    ...tracks.flatMap((audio, index) => {
      const track = tracks.length > 1 ? index : undefined;
      const filters = [
        fillAudioGaps,
        ...(audioPadding ? paddingFilters(audio, audioPadding, samples[index]) : []),
        ...audioFilters,
        ...mixChannels(audio, options),
      ];
      return [
        ...mapAudio(audioSource ? `1:a:${sourceTrack + index}` : audio, {
          trim: trimFilters(samples[index]),
          filters,
          track,
          output,
        }),
        ...audioCodecArguments(audio, { ...options, bitrateKbps, track }),
      ];
    }),
    ...audioTrackArguments(tracks, options),
  ];
}

function trimFilters({ start, end }: SampleRange = {}): Filter[] {
  const bounds = [
    ...(start === undefined ? [] : [`start_pts=${start}`]),
    ...(end === undefined ? [] : [`end_pts=${end}`]),
  ];
  return bounds.length === 0 ? [] : [filter('atrim', bounds.join(':'))];
}

/** A range is padded at the start or the end of the track only. */
function paddingFilters(
  { sampleRateHz }: AudioStream,
  { untilSeconds }: NonNullable<AudioOptions['audioPadding']>,
  { start, end }: SampleRange = {},
): Filter[] {
  const padStart = start === undefined ? [fillAudioFromZero] : [];
  if (untilSeconds === undefined || end !== undefined) return padStart;
  const stated = untilSeconds.toFixed(3);
  // `apad` counts from its own first sample.
  const rest = start === undefined ? undefined : Math.round(Number(stated) * sampleRateHz) - start;
  return [...padStart, filter('apad', rest === undefined ? `whole_dur=${stated}` : `whole_len=${rest}`)];
}

/** Ogg keeps the first timestamp, and a track that starts late would seem to last from 0 s to its end. */
const startAtZero = filter('asetpts', 'PTS-STARTPTS');

/** A plan of one command that encodes only the audio of the input. */
export function encodeAudio(
  input: PlanInput<unknown, AudioFormat>,
  {
    bitrateKbps,
    audioFilters = [],
    audioSource,
    channels,
    audioTracks,
  }: { bitrateKbps: number } & Pick<AudioOptions, 'audioFilters' | 'audioSource' | 'channels' | 'audioTracks'>,
): Plan {
  const [audio = requireAudio(input.probe)] = selectAudioTracks(input.probe, audioTracks);
  const { format } = input;
  const layout = { format, channels };
  const endSeconds = endSecondsOf(input.probe, [audio]);
  const { output, path } = singleOutput(input, {
    durationSeconds: audio.durationSeconds ?? endSeconds,
    audio: {
      codec: probedAudioCodec(layout, audio),
      ...(channels === 'source' && { channels: outputChannels(audio, layout) }),
    },
  });
  const filters = [
    fillAudioGaps,
    ...(format === 'opus' ? [startAtZero] : []),
    ...audioFilters,
    ...mixChannels(audio, layout),
  ];
  const outputArguments = [
    ...mapAudio(audioSource ? '0:a:0' : audio, { filters }),
    ...audioCodecArguments(audio, { ...layout, bitrateKbps }),
    ...languageArguments('a', [audio], format),
    ...['-vn', ...dropOtherStreams],
    ...containerArguments(format),
    path,
  ];
  const inputs = [audioSource ?? { path: input.inputPath }];
  return { commands: [{ inputs, outputArguments, durationSeconds: endSeconds }], outputs: [output] };
}
