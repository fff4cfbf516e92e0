import { JobError, rejectInput } from '../../errors.ts';
import { outputChannels } from '../../media/codecs/audio-codecs.ts';
import { maxBitrateKbps, twoPassCodecs, type VideoCodec, videoCodecs } from '../../media/codecs/video-codecs.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import { number } from '../../values.ts';
import { audioKbps, copiesAudio, selectAudio } from '../audio/map-audio.ts';
import { outputSizes, type VideoEncoding } from '../encoding.ts';
import type { PendingPlan, Plan, PlanInput } from '../plan.ts';
import { encodeVideo } from './encode-video.ts';
import { rateOf } from './vmaf-samples.ts';

/** @param codecs those that the recipe offers */
export const targetSizeParameter = (codecs: readonly VideoCodec[] = videoCodecs) => {
  const [share, bound] = codecs.includes('av1')
    ? [' (AV1 in chunks: 97 %)', ', or the maximum of AV1, 100,000 kbit/s,']
    : ['', ''];
  return number(0.05, 5_000)
    .optional()
    .meta({
      description: `Size of the file in MB (1,000,000 bytes), instead of crf: at most this, and at least 98 % of it${share}, unless the best quality of the encoder${bound} makes a smaller file. A size that is too small for the length and the frame size is rejected before encoding.`,
    });
};

type VideoInput = PlanInput<unknown, VideoFormat>;
type SizeTarget = { encoding: Omit<VideoEncoding, 'quality'>; targetMb: number };

/** Below this, no encoder makes a recognizable video. */
const minBitsPerPixel = 0.004;

/** As many as uncompressed frames have. */
const maxBitsPerPixel = 12;

const minShare = 0.98;

/** Bytes of the container for each frame of video and each packet of audio. */
const bytesPerFrame = 14;
const audioFramesPerSecond = 50;

const bytesPerKbit = 125;

/**
 * A plan that encodes a file of a given size: two passes, where the encoder can, at the bit rate that the size allows,
 * then again at a corrected bit rate until the file fits. Its measurement is `videoKbps`.
 * @throws JobError `INPUT_UNSUPPORTED` if no encoding of this video has that size
 */
export function encodeToSize(input: VideoInput, { encoding, targetMb }: SizeTarget): PendingPlan {
  const targetBytes = targetMb * 1e6;
  const { seconds, fixedBytes, pixelsPerSecond } = sizeFactors(input, encoding);
  const targetKbps = Math.round((aimBytesOf({ targetBytes, minShare }) - fixedBytes) / bytesPerKbit / seconds);
  const kbpsOf = (bitsPerPixel: number) => (bitsPerPixel * pixelsPerSecond) / 1000;
  const megabytesOf = (kbps: number) =>
    (kbps * bytesPerKbit * seconds + fixedBytes) / aimBytesOf({ targetBytes: 1e6, minShare });
  if (targetKbps < kbpsOf(minBitsPerPixel)) {
    const minMb = Math.ceil(megabytesOf(kbpsOf(minBitsPerPixel)) * 100) / 100;
    rejectInput(
      `${seconds.toFixed(0)} s of this video need at least ${minMb} MB; targetSizeMb is ${targetMb}. Choose a smaller frame size, a lower audioBitrate or a larger file`,
    );
  }
  if (targetKbps > kbpsOf(maxBitsPerPixel)) {
    const maxMb = Math.floor(megabytesOf(kbpsOf(maxBitsPerPixel)) * 100) / 100;
    rejectInput(`${seconds.toFixed(0)} s of this video fill at most ${maxMb} MB; targetSizeMb is ${targetMb}`);
  }
  const maxKbps = maxBitrateKbps[encoding.codec];
  const initialKbps = Math.min(maxKbps, targetKbps);
  const search = { targetBytes, minShare, initialKbps, maxKbps, fixedBytes };
  const statisticsPath = `${input.outputDirectory}/passes`;
  const hasTwoPasses = twoPassCodecs.includes(encoding.codec);
  const encodeWith = (bitrateKbps: number, pass: 1 | 2): Plan => {
    const twoPass = hasTwoPasses ? { pass, statisticsPath } : undefined;
    return encodeVideo(input, { ...encoding, quality: { bitrateKbps, ...(twoPass && { twoPass }) } });
  };
  const quality = { bitrateKbps: initialKbps, fileBytes: targetBytes };
  const inChunks = encodeVideo(input, { ...encoding, quality });
  const { outputs } = inChunks;
  const [output] = outputs;
  if (output === undefined) throw new TypeError('Expected one output, found none');

  const tryRate = (trials: readonly SizeTrial[], kbps: number): PendingPlan => ({
    measure: [
      ...(hasTwoPasses && trials.length === 0 ? encodeWith(kbps, 1).commands : []),
      ...encodeWith(kbps, 2).commands,
      { probePath: `${input.outputDirectory}/${output.filename}` },
    ],
    progressAfter: 1 - 0.4 * Math.max(0, 1 - trials.length / maxSizeTrials),
    outputs,
    encoding: inChunks.encoding,
    inChunks: { ...inChunks, measurements: { videoKbps: initialKbps } },
    decide(_, results) {
      const sizeBytes = results.at(-1)?.probe?.sizeBytes;
      if (sizeBytes === undefined) throw new TypeError('The encoded file was not probed');
      const last = { kbps, sizeBytes };
      const next = nextKbps([...trials, last], search);
      return next === undefined ? finish(last) : tryRate([...trials, last], next);
    },
    // One corrected bit rate.
    expected: () => encodeWith(kbps, 2),
  });
  /** The file of the last trial is on the disk. */
  const finish = ({ kbps, sizeBytes }: SizeTrial): Plan => {
    if (sizeBytes <= targetBytes) return { commands: [], outputs, measurements: { videoKbps: kbps } };
    const message = `The video could not be encoded into ${targetMb} MB: the last file had ${(sizeBytes / 1e6).toFixed(2)} MB`;
    throw new JobError('TRANSCODE_ERROR', message);
  };
  return tryRate([], initialKbps);
}

function sizeFactors({ probe, format }: VideoInput, encoding: SizeTarget['encoding']) {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const seconds = Math.max(0.1, endSecondsOf(probe, [video, ...audio]) ?? 0);
  const framesPerSecond = rateOf(encoding.transform) ?? video.framesPerSecond ?? 25;
  const [{ width, height } = { width: 2, height: 2 }] = outputSizes({ ...encoding, quality: { crf: 0 } });
  const target = { ...encoding, format };
  const audioBytesPerSecond = audio.reduce((sum, track) => {
    const pairs = outputChannels(track, target) > 2 ? 3 : 1;
    const kbps = copiesAudio(track, target) ? (track.bitsPerSecond ?? 0) / 1000 : audioKbps(track, target) * pairs;
    return sum + kbps * bytesPerKbit + audioFramesPerSecond * bytesPerFrame;
  }, 0);
  return {
    seconds,
    fixedBytes: seconds * (audioBytesPerSecond + framesPerSecond * bytesPerFrame),
    pixelsPerSecond: width * height * framesPerSecond,
  };
}

/** A tried video bit rate, and the size of the whole file. */
export type SizeTrial = { kbps: number; sizeBytes: number };

export type SizeSearch = {
  /** The file must not be larger. */
  targetBytes: number;
  /** The smallest accepted share of that. */
  minShare: number;
  initialKbps: number;
  /** The highest bit rate of the encoder. */
  maxKbps: number;
  /** Bytes of the file that do not depend on the video bit rate. */
  fixedBytes: number;
};

/** Maximum number of trials at new bit rates. Two passes rarely need more than two. */
export const maxSizeTrials = 6;

/** Maximum number of further trials at the best of these bit rates and below it. */
export const maxSizeRepeats = 4;

/** The bit rate of a repeat that is too large, times this, is the next: SVT-AV1 varies by a few percent from run to run. */
const repeatStep = 0.97;

/** What a trial aims at: the middle of the accepted range. */
export function aimBytesOf({ targetBytes, minShare }: Pick<SizeSearch, 'targetBytes' | 'minShare'>): number {
  return (targetBytes * (1 + minShare)) / 2;
}

/** Growth of a file, relative to that of the bit rate, below which the encoder has reached its best quality. */
const minGrowth = 0.05;

/** Growth of the bit rate from which on that of the file is not the variation of SVT-AV1 from run to run. */
const minRateGrowth = 1.25;

/** The next bit rate; undefined once the last trial is the result. A better one than the last is encoded again. */
export function nextKbps(trials: readonly SizeTrial[], search: SizeSearch): number | undefined {
  const last = trials.at(-1);
  if (last === undefined) return search.initialKbps;
  // It is within the accepted range, or the encoder has no higher bit rate.
  const isLargeEnough = last.sizeBytes >= search.minShare * search.targetBytes || last.kbps >= search.maxKbps;
  if (last.sizeBytes <= search.targetBytes && isLargeEnough) return undefined;
  if (trials.length >= maxSizeTrials) return repeatedKbps(trials, search);
  if (isSaturated(trials, search)) return undefined;
  const below = trials
    .filter(({ sizeBytes }) => sizeBytes <= search.targetBytes)
    .toSorted(bySize)
    .at(-1);
  const above = trials.filter(({ sizeBytes }) => sizeBytes > search.targetBytes).toSorted(bySize)[0];
  const aimBytes = aimBytesOf(search);
  if (below !== undefined && above !== undefined && below.kbps < above.kbps) {
    const share = (aimBytes - below.sizeBytes) / (above.sizeBytes - below.sizeBytes);
    // Not at the bounds, where the search would not move.
    return Math.round(below.kbps + Math.min(0.95, Math.max(0.05, share)) * (above.kbps - below.kbps));
  }
  // The sizes of SVT-AV1 vary from run to run: aim lower with each trial that is too large.
  const caution = below === undefined ? 0.98 ** (trials.length - 1) : 1;
  const factor = (caution * aimBytes - search.fixedBytes) / Math.max(1, last.sizeBytes - search.fixedBytes);
  const kbps = Math.round(last.kbps * Math.min(4, Math.max(0.25, factor)));
  return Math.max(1, Math.min(search.maxKbps, kbps));
}

/** The bit rate at which the best trial is encoded again; undefined if its file is the last, or no trial is small enough. */
function repeatedKbps(trials: readonly SizeTrial[], { targetBytes }: SizeSearch): number | undefined {
  const isSmallEnough = ({ sizeBytes }: SizeTrial) => sizeBytes <= targetBytes;
  const best = trials.slice(0, maxSizeTrials).filter(isSmallEnough).toSorted(bySize).at(-1);
  const last = trials.at(-1);
  if (best === undefined || last === undefined || last === best) return undefined;
  if (trials.length === maxSizeTrials) return best.kbps;
  const isOver = isSmallEnough(last) || trials.length >= maxSizeTrials + maxSizeRepeats;
  return isOver ? undefined : Math.max(1, Math.floor(last.kbps * repeatStep));
}

/** All trials are too small, and a much larger bit rate made no larger file. */
function isSaturated(trials: readonly SizeTrial[], { targetBytes }: SizeSearch): boolean {
  const last = trials.at(-1);
  if (last === undefined || trials.some(({ sizeBytes }) => sizeBytes > targetBytes)) return false;
  return trials.some(({ kbps, sizeBytes }) => {
    const rateGrowth = last.kbps / kbps;
    return rateGrowth >= minRateGrowth && last.sizeBytes / sizeBytes - 1 < minGrowth * (rateGrowth - 1);
  });
}

function bySize(one: SizeTrial, other: SizeTrial): number {
  return one.sizeBytes - other.sizeBytes;
}
