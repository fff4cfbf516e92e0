import { rejectInput } from '../../errors.ts';
import { type Filter, filter } from '../filters/filter.ts';
import type { Format, VideoFormat } from '../formats.ts';
import type { AudioStream } from '../probe/probe.ts';

/** ffmpeg's encoder and ffprobe's codec name for each format with audio. */
const encoders = {
  mp4: { encoder: 'aac', codec: 'aac' },
  mov: { encoder: 'aac', codec: 'aac' },
  mkv: { encoder: 'aac', codec: 'aac' },
  webm: { encoder: 'libopus', codec: 'opus' },
  mp3: { encoder: 'libmp3lame', codec: 'mp3' },
  m4a: { encoder: 'aac', codec: 'aac' },
  opus: { encoder: 'libopus', codec: 'opus' },
  flac: { encoder: 'flac', codec: 'flac' },
  wav: { encoder: 'pcm_s16le', codec: 'pcm_s16le' },
} as const satisfies Partial<Record<Format, { encoder: string; codec: string }>>;

export type AudioFormat = keyof typeof encoders;

/**
 * The first audio filter: fills gaps with silence, as in recordings of calls, so that the rest stays in sync. Players
 * and containers disagree about gaps. ffmpeg closes gaps up to 0.1 s by default, and the audio after lost packets would
 * lead by as much. Rounded timestamps are off by far less than 0.02 s.
 */
export const fillAudioGaps = filter('aresample', 'async=1:min_hard_comp=0.02');

/** The same, and silence from 0 s to the first sample. */
export const fillAudioFromZero: Filter = { ...fillAudioGaps, text: `${fillAudioGaps.text}:first_pts=0` };

/** The audio codecs of a video, by their names in requests. */
export const audioCodecs = ['aac', 'eac3', 'opus'] as const;

export type AudioCodec = (typeof audioCodecs)[number];

const videoEncoders = {
  aac: encoders.m4a,
  eac3: { encoder: 'eac3', codec: 'eac3' },
  opus: encoders.opus,
} as const satisfies Record<AudioCodec, { encoder: string; codec: string }>;

/** The audio codecs that players support in each container. The first is the default. */
export const audioCodecsByFormat: Record<VideoFormat, readonly [AudioCodec, ...AudioCodec[]]> = {
  mp4: ['aac', 'eac3', 'opus'],
  mov: ['aac', 'eac3'],
  mkv: ['aac', 'eac3', 'opus'],
  webm: ['opus'],
};

/** A filter that plays mono from both loudspeakers at its full level. ffmpeg itself would lower it by 3 dB. */
export const dualMono = filter('pan', 'stereo|c0=c0|c1=c0');

type Channels = Pick<AudioStream, 'channels' | 'hasDiscreteChannels'>;

/** A filter that makes stereo of more channels. */
export function mixToStereo({ hasDiscreteChannels }: Pick<Channels, 'hasDiscreteChannels'>): Filter {
  return hasDiscreteChannels ? filter('pan', 'stereo|c0=c0|c1=c1') : filter('aformat', 'channel_layouts=stereo');
}

/** `stereo`: two channels at most, which plays everywhere. `source`: those of the input, up to 5.1. */
export const channelChoices = ['stereo', 'source'] as const;

export type AudioLayout = {
  format: AudioFormat;
  /** `two`: stereo from mono too. */
  channels?: (typeof channelChoices)[number] | 'two' | undefined;
  audioCodec?: AudioCodec | undefined;
};

const surroundChannels = 6;

/** The number of channels of the output. FLAC and WAV keep all channels, MP3 has two at most. */
export function outputChannels(
  { channels: found, hasDiscreteChannels }: Channels,
  { format, channels }: AudioLayout,
): number {
  if (format === 'flac' || format === 'wav') return found;
  if (channels === 'two') return 2;
  const hasSurround = format !== 'mp3' && found > 2 && !hasDiscreteChannels;
  if (channels === 'source' && hasSurround) return surroundChannels;
  return Math.min(2, Math.max(1, found));
}

/**
 * The last audio filters where the number of channels changes. In a downmix ffmpeg adds the channels without scaling, which
 * can reach twice full scale. A limiter acts only on those peaks and keeps the level of voices. Surround gets the one layout
 * that every encoder supports.
 */
export function mixChannels(audio: Channels, layout: AudioLayout): Filter[] {
  const channels = outputChannels(audio, layout);
  if (audio.channels === 1 && channels === 2) return [dualMono];
  if (audio.channels <= 2 || layout.format === 'flac' || layout.format === 'wav') return [];
  if (audio.hasDiscreteChannels) return [mixToStereo(audio)];
  return [
    channels === surroundChannels ? filter('aformat', 'channel_layouts=5.1') : mixToStereo(audio),
    ...(audio.channels > channels ? [filter('alimiter', 'limit=0.95:level=0:latency=1')] : []),
  ];
}

/** For sources with more than 16 bits, including float. */
const wav24Bit = { encoder: 'pcm_s24le', codec: 'pcm_s24le' } as const;

/** ffprobe's codec name for the audio of a finished file. */
export function probedAudioCodec(layout: AudioLayout, audio: BitDepth = {}): string {
  return encoderOf(layout, audio).codec;
}

/** ffmpeg's encoder for the audio of a video or audio file. */
export function audioEncoder(layout: AudioLayout): string {
  return encoderOf(layout, {}).encoder;
}

/** RFC 9639, section 9.1.3. */
const maxFlacChannels = 8;

/**
 * Arguments that encode one audio track. `bitrateKbps` is for one or two channels; more channels get as much per pair.
 * `track` is its index in an output with several.
 * @throws JobError `INPUT_UNSUPPORTED` for more channels than FLAC has
 */
export function audioCodecArguments(
  audio: BitDepth & Channels & Partial<Pick<AudioStream, 'sampleRateHz'>>,
  { bitrateKbps, track, ...layout }: AudioLayout & { bitrateKbps: number; track?: number | undefined },
): string[] {
  const { format } = layout;
  const { encoder } = encoderOf(layout, audio);
  const specifier = track === undefined ? '' : `:a:${track}`;
  const codec = [`-c${specifier || ':a'}`, encoder];
  // A lossy codec decodes to float, which ffmpeg would store as 24 bits: three times the bytes for no gain.
  if (format === 'flac' && audio.channels > maxFlacChannels)
    rejectInput(`FLAC has ${maxFlacChannels} channels at most, and the input has ${audio.channels}: choose wav`);
  if (format === 'flac') return (audio.bitDepth ?? 16) > 16 ? codec : [...codec, '-sample_fmt', 's16'];
  // Plain WAV is limited to 4 GB; beyond that, switch to RF64.
  if (format === 'wav') return [...codec, '-rf64', 'auto'];
  const channels = outputChannels(audio, layout);
  const requestedKbps = channels > 2 ? Math.round((bitrateKbps * channels) / 2) : bitrateKbps;
  // libopus rejects more than 256 kbit/s per channel.
  const kbps = encoder === 'libopus' ? Math.min(requestedKbps, 256 * channels) : requestedKbps;
  const isAboveMaxRate = (audio.sampleRateHz ?? 0) > maxLossySampleRateHz;
  return [
    ...[...codec, `-ac${specifier}`, String(channels)],
    ...(isAboveMaxRate ? [`-ar${specifier}`, String(maxLossySampleRateHz)] : []),
    ...[`-b${specifier || ':a'}`, `${kbps}k`],
  ];
}

/** Many decoders fail above this rate, and the extra bits are inaudible. */
const maxLossySampleRateHz = 48_000;

type BitDepth = Pick<AudioStream, 'bitDepth'>;

function encoderOf({ format, audioCodec }: AudioLayout, { bitDepth = 16 }: BitDepth) {
  if (audioCodec !== undefined) return videoEncoders[audioCodec];
  return format === 'wav' && bitDepth > 16 ? wav24Bit : encoders[format];
}
