import { type AudioLayout, outputChannels, probedAudioCodec } from '../../media/codecs/audio-codecs.ts';
import type { AudioStream } from '../../media/probe/probe.ts';
import type { AudioOptions, VideoEncoding } from '../encoding.ts';
import type { SegmentingOptions } from '../ladder/segmenting.ts';

/** What decides about the audio of an output. */
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
    audio.rightIndex === undefined &&
    audio.changesDescription === undefined &&
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
