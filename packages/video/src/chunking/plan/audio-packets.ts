import { type AudioLayout, audioEncoder } from '../../media/codecs/audio-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { AudioTiming } from '../frame-index/audio-timing.ts';

/** The packets of an encoder: samples of each, and samples of encoder delay before the first of the audio. */
export type PacketCodec = { packetSamples: number; delaySamples: number };

/** Sample rates from which each encoder is not resampled; others are resampled to `resampledHz`, if it is set. */
const codecs: Record<string, PacketCodec & { rates: readonly number[]; resampledHz?: number }> = {
  aac: { packetSamples: 1024, delaySamples: 1024, rates: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000] },
  eac3: { packetSamples: 1536, delaySamples: 256, rates: [48_000, 44_100, 32_000] },
  libopus: { packetSamples: 960, delaySamples: 312, rates: [48_000], resampledHz: 48_000 },
};

/** Above this rate, lossy codecs get this one. */
const maxRateHz = 48_000;

/** Undefined for an encoder whose packets depend on those before them, or which were not tested. */
export function packetCodecOf(layout: AudioLayout): PacketCodec | undefined {
  const codec = codecs[audioEncoder(layout)];
  return codec && { packetSamples: codec.packetSamples, delaySamples: codec.delaySamples };
}

/** The sample rate that a source of `rateHz` is encoded at; undefined where ffmpeg chooses another one. */
export function encodedRateHz(layout: AudioLayout, rateHz: number): number | undefined {
  const codec = codecs[audioEncoder(layout)];
  const limited = Math.min(rateHz, maxRateHz);
  if (codec === undefined || limited <= 0) return undefined;
  if (codec.rates.includes(limited)) return limited;
  return limited === 44_100 ? codec.resampledHz : undefined;
}

/** The packets of a track in an MP4 whose clock counts its samples. */
export function copiedPackets({ sampleRateHz }: AudioStream, timing: AudioTiming | undefined): PacketCodec | undefined {
  const { delay, frameSeconds = 0 } = timing ?? {};
  if (delay?.rateHz !== sampleRateHz) return undefined;
  return { packetSamples: Math.round(frameSeconds * sampleRateHz), delaySamples: delay.samples };
}
