import type { Format } from '../formats.ts';
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
 * and containers disagree about gaps.
 */
export const fillAudioGaps = 'aresample=async=1';

/**
 * The last audio filters of a downmix to stereo. ffmpeg adds the channels without scaling, which can reach twice full
 * scale. A limiter acts only on those peaks and keeps the level of voices.
 */
export function limitDownmix({ channels }: Pick<AudioStream, 'channels'>, format: AudioFormat): string[] {
  if (channels <= 2 || format === 'flac' || format === 'wav') return [];
  return ['aformat=channel_layouts=stereo', 'alimiter=limit=0.95:level=0:latency=1'];
}

/** For sources with more than 16 bits, including float. */
const wav24Bit = { encoder: 'pcm_s24le', codec: 'pcm_s24le' } as const;

/** ffprobe's codec name for the audio of a finished file. */
export function probedAudioCodec(format: AudioFormat, audio: BitDepth = {}): string {
  return encoderOf(format, audio).codec;
}

/** Arguments that encode one audio track. Lossy formats get at most two channels, which plays everywhere. */
export function audioCodecArguments(
  audio: BitDepth & Pick<AudioStream, 'channels'> & Partial<Pick<AudioStream, 'sampleRateHz'>>,
  { format, bitrateKbps }: { format: AudioFormat; bitrateKbps: number },
): string[] {
  const { encoder } = encoderOf(format, audio);
  const codec = ['-c:a', encoder];
  // A lossy codec decodes to float, which ffmpeg would store as 24 bits: three times the bytes for no gain.
  if (format === 'flac') return (audio.bitDepth ?? 16) > 16 ? codec : [...codec, '-sample_fmt', 's16'];
  // Plain WAV is limited to 4 GB; beyond that, switch to RF64.
  if (format === 'wav') return [...codec, '-rf64', 'auto'];
  const channels = Math.min(2, Math.max(1, audio.channels));
  // libopus rejects more than 256 kbit/s per channel.
  const kbps = encoder === 'libopus' ? Math.min(bitrateKbps, 256 * channels) : bitrateKbps;
  return [...codec, '-ac', String(channels), ...sampleRateArguments(audio), '-b:a', `${kbps}k`];
}

/** Many decoders fail above this rate, and the extra bits are inaudible. */
const maxLossySampleRateHz = 48_000;

function sampleRateArguments({ sampleRateHz = 0 }: Partial<Pick<AudioStream, 'sampleRateHz'>>): string[] {
  return sampleRateHz > maxLossySampleRateHz ? ['-ar', String(maxLossySampleRateHz)] : [];
}

type BitDepth = Pick<AudioStream, 'bitDepth'>;

function encoderOf(format: AudioFormat, { bitDepth = 16 }: BitDepth) {
  return format === 'wav' && bitDepth > 16 ? wav24Bit : encoders[format];
}
