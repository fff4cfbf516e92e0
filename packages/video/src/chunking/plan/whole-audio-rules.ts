import { copiesAudio } from '../../encoding/audio/map-audio.ts';
import { type Encoding, rangeOf } from '../../encoding/encoding.ts';
import type { AudioLayout } from '../../media/codecs/audio-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { AudioTiming } from '../frame-index/timeline.ts';
import { type CutTrack, copiedPackets, encodedRateHz, packetCodecOf } from './cut-audio.ts';

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

/** Why audio is encoded as one task. Each rule returns its reason, or undefined. */
const wholeAudioRules = {
  /** A tempo filter places its windows by the previous ones; a loudness filter depends on everything before. */
  filtersKeepState({ encoding: { audioFilters = [] } }) {
    return audioFilters.length === 0 ? undefined : 'its filters depend on all that came before';
  },

  keepsTimeRange({ encoding }) {
    return rangeOf(encoding) && 'only a time range of it is kept';
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
