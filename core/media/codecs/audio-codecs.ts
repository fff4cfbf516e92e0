import type { Format } from '../formats.ts';
import type { AudioStream } from '../probe/probe.ts';

/** ffmpeg's encoder and the codec's probed name, for each format that holds sound. */
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

/** The formats that hold sound. */
export type AudioFormat = keyof typeof encoders;

/**
 * The filter that sound passes first: where some is missing in the middle, as in recordings of calls, there is silence,
 * so that what follows stays in its place. Players and containers do not agree on gaps.
 */
export const fillAudioGaps = 'aresample=async=1';

/**
 * Filters that every mix of more than two channels into stereo passes last: ffmpeg adds them up, to twice what a format
 * can hold where all are loud at once. What is below stays as it is, so that voices are not made softer for it.
 */
export function limitDownmix({ channels }: Pick<AudioStream, 'channels'>, format: AudioFormat): string[] {
  if (channels <= 2 || format === 'flac' || format === 'wav') return [];
  return ['aformat=channel_layouts=stereo', 'alimiter=limit=0.95:level=0:latency=1'];
}

/** Of a sound that has more than 16 bits, floats included. */
const deepWav = { encoder: 'pcm_s24le', codec: 'pcm_s24le' } as const;

/** What ffprobe calls the sound of a finished file. */
export function probedAudioCodec(format: AudioFormat, audio: Depth = {}): string {
  return encoderOf(format, audio).codec;
}

/** Arguments that encode one audio track; lossy formats carry at most two channels, which plays everywhere. */
export function audioCodecArguments(
  audio: Depth & Pick<AudioStream, 'channels'> & Partial<Pick<AudioStream, 'sampleRateHz'>>,
  { format, bitrateKbps }: { format: AudioFormat; bitrateKbps: number },
): string[] {
  const { encoder } = encoderOf(format, audio);
  const codec = ['-c:a', encoder];
  // Decoded sound of a lossy codec is floats, of which ffmpeg would make 24 bits: three times the bytes for nothing.
  if (format === 'flac') return (audio.bitDepth ?? 16) > 16 ? codec : [...codec, '-sample_fmt', 's16'];
  // A plain WAV ends at 4 GB; RF64 takes over where one grows beyond.
  if (format === 'wav') return [...codec, '-rf64', 'auto'];
  const channels = Math.min(2, Math.max(1, audio.channels));
  // libopus refuses more than 256 kbit/s a channel.
  const kbps = encoder === 'libopus' ? Math.min(bitrateKbps, 256 * channels) : bitrateKbps;
  return [...codec, '-ac', String(channels), ...lossyRate(audio), '-b:a', `${kbps}k`];
}

/** Above it many decoders give up, and the bits are spent on what nobody hears. */
const highestLossyHz = 48_000;

function lossyRate({ sampleRateHz = 0 }: Partial<Pick<AudioStream, 'sampleRateHz'>>): string[] {
  return sampleRateHz > highestLossyHz ? ['-ar', String(highestLossyHz)] : [];
}

type Depth = Pick<AudioStream, 'bitDepth'>;

function encoderOf(format: AudioFormat, { bitDepth = 16 }: Depth) {
  return format === 'wav' && bitDepth > 16 ? deepWav : encoders[format];
}
