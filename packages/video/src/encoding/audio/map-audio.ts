import { JobError, rejectInput } from '../../errors.ts';
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
import type { TimeRange } from '../../media/ffmpeg/seek.ts';
import { type Filter, type FilterGraph, filter } from '../../media/filters/filter.ts';
import type { OutputExpectation } from '../../media/outputs/verify-output.ts';
import type { AudioStream, Probe } from '../../media/probe/probe.ts';
import { decodedTrack, describeCodecs, endSecondsOf, isKnown, mainAudio, ownAudio } from '../../media/probe/streams.ts';
import type { AudioOptions, VideoEncoding } from '../encoding.ts';
import type { SegmentingOptions } from '../ladder/ladder.ts';
import { audioTrackArguments } from '../options.ts';

type TrackStreams = Pick<AudioStream, 'index'> &
  Partial<Pick<AudioStream, 'joinedIndexes' | 'ambisonics' | 'channels' | 'channelLayout'>>;

/** A track of the source, or a stream by ffmpeg's specifier, such as `1:a:0`. */
export type MappedAudio = TrackStreams | `${number}:a:${number}`;

type Mapping = {
  /** Filters that select samples by their times. */
  trim?: readonly Filter[];
  filters: readonly Filter[];
  /** Index of the track in an output with several. */
  track?: number | undefined;
  /** A number that no other output of the command has for its audio. */
  output?: number | undefined;
};

/** Arguments that map an audio track, of the first input if it is of the source, through filters. */
export function mapAudio(audio: MappedAudio, { trim = [], filters, track, output = 0 }: Mapping): Argument[] {
  if (typeof audio !== 'string' && audio.joinedIndexes !== undefined) {
    const to = `joined${output}`;
    const graph = audioChains(audio, { input: 0, name: String(output), trim, filters, to });
    return ['-filter_complex', graph, '-map', `[${to}]`];
  }
  const specifier = typeof audio === 'string' ? audio : `0:${audio.index}`;
  const decoded = typeof audio === 'string' ? [] : layoutFilters(audio);
  const chain = [...decoded, ...trim, ...filters];
  if (chain.length === 0) return ['-map', specifier];
  return ['-map', specifier, track === undefined ? '-af' : `-filter:a:${track}`, [{ filters: chain }]];
}

/**
 * Chains of a filter graph from an audio track of an input to the pad `to`. `name` is one that no other track of the graph
 * has. Each of joined streams is trimmed: after a seek, they may start with different samples.
 */
export function audioChains(
  audio: TrackStreams,
  {
    input,
    name,
    trim,
    filters,
    to,
  }: { input: number; name: string; trim: readonly Filter[]; filters: readonly Filter[]; to: string },
): FilterGraph {
  const { index, joinedIndexes = [] } = audio;
  const decoded = layoutFilters(audio);
  const sources = [index, ...joinedIndexes].map((each) => `${input}:${each}`);
  if (sources.length === 1) return [{ from: sources, filters: [...decoded, ...trim, ...filters], to: [to] }];
  const joined = { filters: [...decoded, ...filters], to: [to] };
  if (trim.length === 0) return [{ from: sources, ...joined }];
  const trimmed = sources.map((source, at) => ({ from: [source], filters: trim, to: [`mono${name}x${at}`] }));
  return [...trimmed, { from: trimmed.flatMap((chain) => chain.to), ...joined }];
}

/**
 * Filters that make one track of mono streams, stereo of ambisonics by two virtual cardioid microphones that point left
 * and right, and mono or stereo of one or two channels that the file gives to other loudspeakers. ffmpeg itself converts no
 * ambisonic layout, and lowers or rejects such channels, so they come first.
 */
function layoutFilters({ joinedIndexes, ambisonics, channels, channelLayout }: TrackStreams): Filter[] {
  if (joinedIndexes !== undefined) {
    const map = ['FL', 'FR', 'FC', 'LFE', 'BL', 'BR'].slice(0, 1 + joinedIndexes.length);
    const layout = map.length === 2 ? 'stereo' : '5.1';
    const places = map.map((place, input) => `${input}.0-${place}`).join('|');
    return [filter('join', `inputs=${map.length}:channel_layout=${layout}:map=${places}`)];
  }
  if (ambisonics === undefined) {
    const [usual, map] = channels === 1 ? ['mono', '0'] : ['stereo', '0|1'];
    const isOther = channels !== undefined && channels <= 2 && ![undefined, usual].includes(channelLayout);
    return isOther ? [filter('channelmap', `${map}:channel_layout=${usual}`)] : [];
  }
  const { stereoChannel } = ambisonics;
  const [left, right] = stereoChannel === undefined ? ['', ''] : [`+c${stereoChannel}`, `+c${stereoChannel + 1}`];
  return [filter('pan', `stereo|c0=0.5*c0+0.5*c1${left}|c1=0.5*c0-0.5*c1${right}`)];
}

/** Indexes among the audio tracks of the input, `all` of the main video, or by default the main track. */
export type TrackSelection = readonly number[] | 'all' | undefined;

/**
 * The chosen audio tracks, in the order of the choice.
 * @throws JobError `INPUT_UNSUPPORTED` if the input has no such track
 */
export function selectAudioTracks(probe: Probe, selection: TrackSelection): AudioStream[] {
  if (selection === 'all') return ownAudio(probe).filter(isKnown);
  if (selection === undefined) return [mainAudio(probe)].filter((track) => track !== undefined);
  const tracks = probe.streams.filter((stream): stream is AudioStream => stream.kind === 'audio');
  return selection.map((index) => {
    const track = tracks[index];
    if (track !== undefined && isKnown(track)) return decodedTrack(track);
    if (track !== undefined) rejectInput(`The audio track ${index} is ${describeCodecs([track])}`);
    const found = tracks.map(({ language, codec }, number) => `${number} (${language ?? 'no language'}, ${codec})`);
    const list = found.length === 0 ? 'none' : found.join(', ');
    throw new JobError('INPUT_UNSUPPORTED', `The input has no audio track ${index}; it has ${list}`);
  });
}

/** Whether a track has samples within seconds of its file. Without any, ffmpeg writes an empty track, or none. */
export function overlapsRange(probe: Probe, track: AudioStream, { start, end }: TimeRange): boolean {
  return track.startSeconds < end && (endSecondsOf(probe, [track]) ?? end) > start;
}

export type AudioTarget = AudioLayout &
  Partial<AudioOptions> &
  Pick<VideoEncoding, 'range'> & { segmenting?: SegmentingOptions | undefined };

const packetSamples = 1024;

/** Encoder delay, and the rest of the last packet. */
const maxHiddenPackets = 4;

/** As `fillAudioGaps` allows. */
const maxGapSeconds = 0.02;

const maxCopiedRateHz = 48_000;

/** MP4 and MOV keep the encoder delay of a copy. */
const copyingFormats = ['mp4', 'mov'];

/**
 * Whether a track is copied: an encoder would make it larger or worse. It is AAC-LC at no more than the bit rate that is
 * asked for, of one or two channels, without a gap, and nothing else changes it.
 */
export function copiesAudio(audio: AudioStream, target: AudioTarget): boolean {
  const { audioBitrateKbps = 0, audioFilters = [], format } = target;
  const { channels, sampleRateHz, bitsPerSecond = Number.POSITIVE_INFINITY } = audio;
  return (
    copyingFormats.includes(format) &&
    audio.codec === 'aac' &&
    audio.profile === 'LC' &&
    probedAudioCodec(target) === 'aac' &&
    outputChannels(audio, target) === channels &&
    channels <= 2 &&
    !audio.hasDiscreteChannels &&
    layoutFilters(audio).length === 0 &&
    audio.splicedBy === undefined &&
    sampleRateHz <= maxCopiedRateHz &&
    bitsPerSecond <= audioBitrateKbps * 1000 &&
    !(target.audioPadding ?? target.audioSource ?? target.range ?? target.segmenting) &&
    audioFilters.length === 0 &&
    isGapless(audio)
  );
}

/** Whether the packets last as long as the track. */
function isGapless({ packets, sampleRateHz, durationSeconds }: AudioStream): boolean {
  if (packets === undefined || durationSeconds === undefined) return false;
  const hiddenSeconds = (packets * packetSamples) / sampleRateHz - durationSeconds;
  return hiddenSeconds >= -maxGapSeconds && hiddenSeconds <= (maxHiddenPackets * packetSamples) / sampleRateHz;
}

/** Below this for each channel, AAC is hardly intelligible. */
const minKbpsPerChannel = 24;

/** The bit rate of a track in kbit/s, for one or two channels: no more than the source has, of which nothing would be better. */
export function audioKbps(audio: AudioStream, target: AudioTarget): number {
  const { audioBitrateKbps: requested = 0, audioCodec } = target;
  const { bitsPerSecond } = audio;
  if (bitsPerSecond === undefined || audioCodec === 'eac3') return requested;
  const channels = outputChannels(audio, target);
  const pairs = Math.max(1, channels / 2);
  return Math.min(
    requested,
    Math.max(minKbpsPerChannel * Math.min(2, channels), Math.ceil(bitsPerSecond / 1000 / pairs)),
  );
}

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
