import { type AudioTarget, copiesAudio, type SampleRange } from '../../encoding/audio/map-audio.ts';
import type { Encoding } from '../../encoding/encoding.ts';
import { type AudioLayout, audioEncoder } from '../../media/codecs/audio-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import { greatestCommonDivisor } from '../../values.ts';
import type { AudioTiming } from '../frame-index/frame-index.ts';
import { maxAudioChunks, minAudioTaskSeconds } from '../settings.ts';

/** A run of whole packets of one output track. Samples count at the output's rate, but for those of `source`. */
export type TrackChunk = {
  sampleRateHz: number;
  packetSamples: number;
  /** The first packet of a track holds so many samples of encoder delay before the first of the audio. */
  delaySamples: number;
  /** Time of the first sample of the audio. */
  startSample: number;
  /** Numbers of the packets in the track, from `firstPacket` up to but excluding `endPacket`; unset: to the end. */
  firstPacket: number;
  endPacket?: number | undefined;
  /** What is decoded: from before the first packet to behind the last, since an encoder needs both. */
  source: SampleRange;
};

/** Seconds until a packet of the track, without the encoder delay. */
export function packetSeconds({ startSample, packetSamples, sampleRateHz }: TrackChunk, packet: number): number {
  return (startSample + packet * packetSamples) / sampleRateHz;
}

/** The packets of all output tracks in a stretch of the audio, encoded by one task. */
export type AudioChunk = {
  /** Where reading starts, in seconds from the timeline origin. Unset: at the start of the source. */
  seekSeconds?: number | undefined;
  durationSeconds: number;
  /** In the order of the output. */
  tracks: TrackChunk[];
};

export type CutTrack = { stream: AudioStream; timing: AudioTiming };

/** Encoder state, such as the rate control and a limiter, is that of a single pass after so long, as far as one measures. */
const leadInSeconds = 2;

const leadOutSeconds = 0.5;

/** Decoders need packets from before the first sample: Opus 80 ms, MP3 some frames. */
const decoderSeconds = 0.5;

/** Shorter chunks would be mostly lead-in. */
const minAudioChunkSeconds = 6;

/** Beside a chunk of the video, a shorter one would have its lead-in before the start of the audio. */
const minSecondsBesideVideo = leadInSeconds + 0.5;

/** So many chunks take no longer than a chunk of the video: `audioSeconds` are of one thread per track. */
export function audioChunkCount(audioSeconds: number, chunkSeconds: number): number {
  const taskSeconds = Math.max(minAudioTaskSeconds, chunkSeconds);
  return Math.min(maxAudioChunks, Math.ceil(audioSeconds / taskSeconds));
}

/**
 * Cuts the audio tracks. Undefined if a chunk would be too short: where tracks hardly overlap.
 *
 * @param cuts how many chunks of about equal length, or when each but the first starts
 * @param videoSeconds when the video starts, which ffmpeg seeks by
 */
export function cutAudio(
  tracks: readonly CutTrack[],
  { layout, isPadded, videoSeconds, cuts }: AudioCutOptions,
): AudioChunk[] | undefined {
  const fromSeconds = Math.max(...tracks.map(({ stream }) => stream.startSeconds));
  const toSeconds = Math.min(...tracks.map(endSecondsOf));
  const isEqual = typeof cuts === 'number';
  const seams = isEqual ? equalSeams(fromSeconds, toSeconds, cuts) : cuts;
  const steps = [...seams, toSeconds].map((end, chunk) => end - (seams[chunk - 1] ?? fromSeconds));
  if (Math.min(...steps) < (isEqual ? minAudioChunkSeconds : minSecondsBesideVideo)) return undefined;
  const grids = tracks.map(({ stream, timing }) => gridOf(stream, { layout, isPadded, timing }));
  return Array.from(steps, (_, chunk) => {
    const [startSeconds, endSeconds] = [seams[chunk - 1], seams[chunk]];
    const cut = grids.map((grid) => grid.cut(startSeconds, endSeconds));
    return {
      seekSeconds: seekSecondsOf(grids, cut, videoSeconds),
      durationSeconds: (endSeconds ?? Math.max(...tracks.map(endSecondsOf))) - (startSeconds ?? 0),
      tracks: cut,
    };
  });
}

export type AudioCutOptions = {
  layout: AudioTarget;
  /** The audio is padded with silence from 0. */
  isPadded: boolean;
  videoSeconds: number;
  cuts: number | readonly number[];
};

function equalSeams(fromSeconds: number, toSeconds: number, count: number): number[] {
  const stepSeconds = (toSeconds - fromSeconds) / count;
  return Array.from({ length: count - 1 }, (_, seam) => fromSeconds + (seam + 1) * stepSeconds);
}

function endSecondsOf({ stream, timing }: CutTrack): number {
  return stream.startSeconds + timing.totalSeconds;
}

type Grid = { sourceRateHz: number; cut(startSeconds?: number, endSeconds?: number): TrackChunk };

/** The packets of an encoder: samples of each, and samples of encoder delay before the first of the audio. */
export type PacketCodec = { packetSamples: number; delaySamples: number };

/** Sample rates from which each encoder is not resampled; others are resampled to `resampledHz`, if it is set. */
const codecs: Record<string, PacketCodec & { rates: readonly number[]; resampledHz?: number }> = {
  aac: { packetSamples: 1024, delaySamples: 1024, rates: [48_000, 44_100, 32_000, 24_000, 22_050, 16_000] },
  eac3: { packetSamples: 1536, delaySamples: 256, rates: [48_000, 44_100, 32_000] },
  libopus: { packetSamples: 960, delaySamples: 312, rates: [48_000], resampledHz: 48_000 },
};

const maxRateHz = 48_000;

/** Undefined for an encoder whose packets depend on those before them, or which were not tested. */
function packetCodecOf(layout: AudioLayout): PacketCodec | undefined {
  const codec = codecs[audioEncoder(layout)];
  return codec && { packetSamples: codec.packetSamples, delaySamples: codec.delaySamples };
}

/** The sample rate that a source of `rateHz` is encoded at; undefined where ffmpeg chooses another one. */
function encodedRateHz(layout: AudioLayout, rateHz: number): number | undefined {
  const codec = codecs[audioEncoder(layout)];
  const limited = Math.min(rateHz, maxRateHz);
  if (codec === undefined || limited <= 0) return undefined;
  if (codec.rates.includes(limited)) return limited;
  return limited === 44_100 ? codec.resampledHz : undefined;
}

/** The packets of a track in an MP4 whose clock counts its samples. */
function copiedPackets({ sampleRateHz }: AudioStream, timing: AudioTiming | undefined): PacketCodec | undefined {
  const { delay, frameSeconds = 0 } = timing ?? {};
  if (delay?.rateHz !== sampleRateHz) return undefined;
  return { packetSamples: Math.round(frameSeconds * sampleRateHz), delaySamples: delay.samples };
}

function gridOf(
  stream: AudioStream,
  { layout, isPadded, timing }: Pick<AudioCutOptions, 'layout' | 'isPadded'> & Pick<CutTrack, 'timing'>,
): Grid {
  const copied = copiesAudio(stream, layout) ? copiedPackets(stream, timing) : undefined;
  const codec = copied ?? packetCodecOf(layout);
  const sourceRateHz = stream.sampleRateHz;
  const sampleRateHz = encodedRateHz(layout, sourceRateHz);
  if (codec === undefined || sampleRateHz === undefined) {
    throw new TypeError('Expected audio whose packets are known');
  }
  const { packetSamples } = codec;
  const startSeconds = isPadded ? 0 : stream.startSeconds;
  const startSample = Math.round(startSeconds * sampleRateHz);
  const sourceStart = Math.round(startSeconds * sourceRateHz);
  const packetsIn = (seconds: number) => Math.ceil((seconds * sampleRateHz) / packetSamples);
  // A resampler is in the state of its start again after so many samples.
  const periodSamples = sampleRateHz / greatestCommonDivisor(sampleRateHz, sourceRateHz);
  const period = periodSamples / greatestCommonDivisor(periodSamples, packetSamples);
  const leadIn = copied ? 0 : packetsIn(leadInSeconds);
  const packetAt = (seconds: number) => {
    const packets = Math.floor((seconds * sampleRateHz - startSample) / packetSamples) - leadIn;
    return Math.floor(packets / period) * period + leadIn;
  };
  const sourceAt = (packet: number) => sourceStart + Math.round((packet * packetSamples * sourceRateHz) / sampleRateHz);
  return {
    sourceRateHz,
    cut(fromSeconds, toSeconds) {
      const firstPacket = fromSeconds === undefined ? 0 : packetAt(fromSeconds);
      const endPacket = toSeconds === undefined ? undefined : packetAt(toSeconds);
      return {
        sampleRateHz,
        ...codec,
        startSample,
        firstPacket,
        endPacket,
        source: {
          start: fromSeconds === undefined ? undefined : sourceAt(firstPacket - leadIn),
          end: endPacket === undefined ? undefined : sourceAt(endPacket + packetsIn(leadOutSeconds)),
        },
      };
    },
  };
}

/** ffmpeg seeks to a keyframe of the video, and before the first it would read from there. */
function seekSecondsOf(
  grids: readonly Grid[],
  chunks: readonly TrackChunk[],
  videoSeconds: number,
): number | undefined {
  const starts = chunks.map(({ source }, track) => (source.start ?? 0) / (grids[track]?.sourceRateHz ?? 1));
  const seconds = Math.min(...starts) - decoderSeconds;
  return seconds > videoSeconds ? seconds : undefined;
}

export type AudioToCut = {
  encoding: Encoding;
  layout: AudioLayout;
  /** `timing` is unset if no index of the source has it. */
  tracks: readonly { stream: AudioStream; timing: AudioTiming | undefined }[];
};

/** Samples of a decoded frame, by ffprobe's name of the codec. Other codecs may vary it. */
// biome-ignore format: a table
const frameSamples: Record<string, readonly number[]> = {
  aac: [1024, 2048], ac3: [1536], eac3: [1536], mp3: [1152, 576], opus: [960],
  alac: [4096], flac: [4096, 4608, 1152],
};

const wholeAudioRules = {
  /** A tempo filter places its windows by the previous ones; a loudness filter depends on everything before. */
  filtersKeepState({ encoding: { audioFilters = [] } }) {
    return audioFilters.length === 0 ? undefined : 'its filters depend on all that came before';
  },

  keepsTimeRange({ encoding }) {
    return encoding.range && 'only a time range of it is kept';
  },

  /** The time of a packet must follow from its number. */
  hasUnknownPackets({ layout, tracks }) {
    const areKnown = tracks.every(({ stream }) => encodedRateHz(layout, stream.sampleRateHz) !== undefined);
    return areKnown && packetCodecOf(layout) ? undefined : 'the packets of its encoder are unknown';
  },

  /** Where a packet of a copy lies must follow from its number, too. */
  copiesUnknownPackets({ encoding, layout, tracks }) {
    const isUnknown = tracks.some(
      ({ stream, timing }) =>
        copiesAudio(stream, { ...encoding, ...layout }) && copiedPackets(stream, timing) === undefined,
    );
    return isUnknown ? 'it is copied, and its encoder delay is unknown' : undefined;
  },

  /** The position of a sample in the track must follow from its timestamp: a gap is filled, and later samples move. */
  hasUnknownFrames({ tracks }) {
    return tracks.every(hasWholeFrames) ? undefined : 'no index of the source shows that it has no gaps';
  },
} as const satisfies Record<string, (audio: AudioToCut) => string | undefined>;

/** The first reason why audio cannot be encoded in chunks; undefined if there is none. */
export function wholeAudioReason(audio: AudioToCut): string | undefined {
  return Object.values(wholeAudioRules)
    .map((rule) => rule(audio))
    .find((reason) => reason !== undefined);
}

/** Whether each frame of the source has the duration of its samples. */
export function hasWholeFrames(track: AudioToCut['tracks'][number]): track is CutTrack {
  const { stream, timing } = track;
  if (timing === undefined) return false;
  const samples = timing.frameSeconds * stream.sampleRateHz;
  const allowed = stream.codec.startsWith('pcm_') ? [1] : (frameSamples[stream.codec] ?? []);
  return allowed.some((each) => Math.abs(each - samples) < 1e-6);
}
