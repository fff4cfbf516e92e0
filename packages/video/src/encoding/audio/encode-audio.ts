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
import { imageColors } from '../../media/codecs/video-codecs.ts';
import type { Argument } from '../../media/ffmpeg/command.ts';
import { type Filter, filter } from '../../media/filters/filter.ts';
import { videoFilters } from '../../media/filters/video-filters.ts';
import { containerArguments } from '../../media/formats.ts';
import { roundedSize, shrinkInto } from '../../media/frame-size.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { endSecondsOf, requireAudio, requireImage } from '../../media/probe/streams.ts';
import type { AudioOptions } from '../encoding.ts';
import { audioTrackArguments, dropOtherStreams, languageArguments, singleOutput } from '../outputs.ts';
import type { MediaFile, Plan, PlanInput } from '../plan.ts';
import { imageCommand } from '../still-image.ts';
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

/** Ogg keeps the first timestamp, and a track that starts late would seem to last from 0 s to its end. */
const startAtZero = filter('asetpts', 'PTS-STARTPTS');

/** Tags of an audio file, and its cover image. */
export type Publishing = {
  tags?: Readonly<Record<string, string | undefined>> | undefined;
  cover?: MediaFile | undefined;
};

/** Podcast directories take up to so many pixels for each side. */
const maxCoverPixels = 3000;

/** A command that writes the cover of an audio file as a JPEG, and the arguments that attach it as input 1. */
function attachCover(input: PlanInput<unknown, AudioFormat>, { path, probe }: MediaFile) {
  const video = requireImage(probe);
  const scale = roundedSize(shrinkInto(video, { width: maxCoverPixels, height: maxCoverPixels }));
  const file = `${input.outputDirectory}/cover.jpg`;
  const filters = videoFilters(video, { scale, ...imageColors('jpg') });
  const outputArguments = [...dropOtherStreams, ...containerArguments('jpg'), file];
  return {
    command: imageCommand(video, { inputPath: path, filters, format: 'jpg', outputArguments }),
    source: { path: file, isTrusted: true as const },
    attachment: [
      '-map',
      '1:0',
      '-c:v',
      'copy',
      '-disposition:v',
      'attached_pic',
      '-metadata:s:v',
      'comment=Cover (front)',
    ],
  };
}

export function encodeAudio(
  input: PlanInput<unknown, AudioFormat>,
  {
    bitrateKbps,
    audioFilters = [],
    audioSource,
    channels,
    audioTracks,
    tags,
    cover,
  }: { bitrateKbps: number } & Publishing &
    Pick<AudioOptions, 'audioFilters' | 'audioSource' | 'channels' | 'audioTracks'>,
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
  const attached = cover && attachCover(input, cover);
  const outputArguments = [
    ...mapAudio(audioSource ? '0:a:0' : audio, { filters }),
    ...audioCodecArguments(audio, { ...layout, bitrateKbps }),
    ...languageArguments('a', [audio], format),
    ...(attached?.attachment ?? ['-vn']),
    ...dropOtherStreams,
    ...Object.entries(tags ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : ['-metadata', `${name}=${value}`],
    ),
    // Every player reads version 3.
    ...(format === 'mp3' && (tags ?? cover) !== undefined ? ['-id3v2_version', '3'] : []),
    ...containerArguments(format),
    path,
  ];
  const inputs = [audioSource ?? { path: input.inputPath }, ...(attached ? [attached.source] : [])];
  const command = { inputs, outputArguments, durationSeconds: endSeconds };
  return { commands: [...(attached ? [attached.command] : []), command], outputs: [output] };
}
