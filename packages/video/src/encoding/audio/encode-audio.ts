import {
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
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import type { AudioOptions } from '../encoding.ts';
import { audioTrackArguments } from '../options.ts';
import { type AudioTarget, audioKbps, copiesAudio, mapAudio, selectAudioTracks } from './map-audio.ts';

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
 * Arguments that map, filter and encode the audio tracks, or copy them. `sourceTrack` is the index of the first of them in
 * `audioSource`. `output` is a number that no other output of the command has. `samples` has the range of each track to
 * encode.
 */
export function audioArguments(
  tracks: readonly AudioStream[],
  {
    sourceTrack = 0,
    output,
    samples = [],
    ...options
  }: AudioTarget & { sourceTrack?: number; output?: number; samples?: readonly SampleRange[] },
): Argument[] {
  const { audioFilters = [], audioPadding, audioSource } = options;
  return [
    ...tracks.flatMap((audio, index) => {
      const track = tracks.length > 1 ? index : undefined;
      if (copiesAudio(audio, options)) {
        return [...mapAudio(audio, { filters: [] }), track === undefined ? '-c:a' : `-c:a:${track}`, 'copy'];
      }
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
        ...audioCodecArguments(audio, { ...options, bitrateKbps: audioKbps(audio, options), track }),
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
