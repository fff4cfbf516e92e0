import { type Display, displayFilters, displayOf } from '../../media/display.ts';
import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { hasContinuousTimestamps, seekPoint } from '../../media/ffmpeg/seek.ts';
import { summarizeScores, type VmafComparison } from '../../media/ffmpeg/vmaf-comparison.ts';
import {
  type FrameTransform,
  keepFilterGraph,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { evenSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { MediaFile, OutputMeasurement, TaskResult } from '../plan.ts';

/** A stretch of a video to score, in seconds. Without a bound it goes to the start or the end of the video. */
export type Sample = { start?: number | undefined; end?: number | undefined };

/** How a video is sampled. */
export type Sampling = {
  /** A video up to this length is scored whole. */
  wholeSeconds: number;
  sampleSeconds: number;
  /** One sample for each interval. */
  intervalSeconds: number;
  minSamples: number;
  maxSamples: number;
  /** Where in its share of the video a sample is, 0 to 1. */
  position: number;
};

/** For the search, which encodes each sample up to six times. */
const searchSampling: Sampling = {
  wholeSeconds: 12,
  sampleSeconds: 4,
  intervalSeconds: 150,
  minSamples: 3,
  maxSamples: 12,
  position: 0.5,
};

/** For a finished file: many short samples, since scenes differ more than the frames of a scene. */
const finishedSampling: Sampling = {
  wholeSeconds: 180,
  sampleSeconds: 0.8,
  intervalSeconds: 3,
  minSamples: 60,
  maxSamples: 120,
  position: 0.25,
};

/** The samples on which the search compares encodings. */
export function searchSamples(probe: Probe): Required<Sample>[] {
  const durationSeconds = endSecondsOf(probe, [requireVideo(probe)]) ?? 0;
  return sampleVideo(durationSeconds, searchSampling).map(({ start = 0, end = durationSeconds }) => ({
    start,
    end,
  }));
}

function sampleVideo(durationSeconds: number, sampling: Sampling): Sample[] {
  const { wholeSeconds, sampleSeconds, intervalSeconds, minSamples, maxSamples, position } = sampling;
  if (durationSeconds <= wholeSeconds) return [{}];
  const wanted = Math.ceil(durationSeconds / intervalSeconds);
  const count = Math.min(maxSamples, Math.max(minSamples, wanted));
  return Array.from({ length: count }, (_, index) => {
    const start = ((index + position) * durationSeconds) / count - position * sampleSeconds;
    return { start, end: start + sampleSeconds };
  });
}

/**
 * Mean and 5th percentile over all samples, from the results of one comparison for each. The first frame after a cut does
 * not count: libvmaf does not know its motion.
 */
export function summarizeSamples(
  samples: readonly Sample[],
  results: readonly TaskResult[],
): { vmaf: number; vmafP5: number } {
  const compared = results.flatMap(({ frameScores }) => (frameScores === undefined ? [] : [frameScores]));
  return summarizeScores(
    compared.flatMap((scores, index) => {
      const { start = 0 } = samples[index] ?? {};
      return start > 0 && scores.length > 1 ? scores.slice(1) : scores;
    }),
  );
}

/** The source of a comparison: a file, its probe, and the transform between source and encoded video. */
export type ComparedSource = MediaFile & Pick<CommandInput, 'isRemote'> & { transform: FrameTransform };

/** Scores an encoded sample, the frames of the source that `inputOptions` and `cut` select. */
export function compareSample(
  { path, probe, transform, ...kind }: ComparedSource,
  { encodedPath, inputOptions, cut }: { encodedPath: string; inputOptions: string[]; cut: string[] },
  durationSeconds: number,
): VmafComparison {
  const video = requireVideo(probe);
  const display = displayOf(video);
  return {
    encoded: {
      input: { path: encodedPath, isTrusted: true },
      stream: 0,
      filters: displayFilters(display),
    },
    source: {
      input: { path, ...kind, options: [...keepFilterGraph(video), ...inputOptions] },
      stream: video.index,
      filters: sourceFilters(video, { transform, cut, display }),
    },
    model: display.model,
    frameInterval: frameIntervalOf(rateOf(transform) ?? video.framesPerSecond ?? 25),
    durationSeconds,
  };
}

/** Odd, since encoders alternate qualities in twos and fours: every third frame at 24 to 30 per second, at least eight. */
function frameIntervalOf(framesPerSecond: number): number {
  return Math.max(1, 2 * Math.floor(framesPerSecond / 16) + 1);
}

/** Measures VMAF of a finished file, on samples if it is long: the measurements `vmaf` and `vmafP5`. */
export function measureVmaf(
  source: ComparedSource,
  outputPath: string,
  sampling: Sampling = finishedSampling,
): OutputMeasurement {
  return {
    comparesWithSource: true,
    measure: [{ probePath: outputPath }],
    read(_, [result]) {
      if (result?.probe === undefined) throw new TypeError('The finished file was not probed');
      const finished = { path: outputPath, probe: result.probe };
      const durationSeconds = endSecondsOf(source.probe, [requireVideo(source.probe)]) ?? 0;
      const samples = sampleVideo(durationSeconds, sampling);
      return {
        measure: samples.map((sample) => compareFinished(source, finished, { sample, durationSeconds })),
        read: (_, results) => summarizeSamples(samples, results),
      };
    },
  };
}

/** Scores a sample of a finished file. Frames correspond by their time after the first frame of each video. */
function compareFinished(
  source: ComparedSource,
  finished: MediaFile,
  { sample, durationSeconds }: { sample: Sample; durationSeconds: number },
): VmafComparison {
  const rate = rateOf(source.transform);
  const video = requireVideo(finished.probe);
  // Between two frames, since containers round timestamps. A deinterlacer may double the rate of the source.
  const frames = video.framesPerSecond ?? 25;
  const between = (seconds: number) => (Math.round(seconds * frames) - 0.5) / frames;
  const bounds = {
    start: sample.start === undefined ? undefined : between(sample.start),
    end: sample.end === undefined ? undefined : between(sample.end),
  };
  const ofSource = cutSample(source.probe, bounds, rate);
  const ofFinished = cutSample(finished.probe, bounds);
  const compared = compareSample(
    source,
    { encodedPath: finished.path, inputOptions: ofSource.inputOptions, cut: ofSource.filters },
    (sample.end ?? durationSeconds) - (sample.start ?? 0),
  );
  return {
    ...compared,
    encoded: {
      ...compared.encoded,
      input: { ...compared.encoded.input, options: ofFinished.inputOptions },
      stream: video.index,
      filters: [...ofFinished.filters, ...compared.encoded.filters],
    },
  };
}

/**
 * Options and filters that read a sample, given in seconds after the first frame. The seek is earlier, so that the
 * deinterlacer has neighbours. With `rate`, the constant rate of a filter, it keeps the phase of that rate.
 */
function cutSample(
  probe: Probe,
  { start, end }: Sample,
  rate?: number,
): { inputOptions: string[]; filters: string[] } {
  const { startSeconds } = requireVideo(probe);
  // In a broadcast container, ffmpeg counts from the start of the streams that it reads.
  const origin = hasContinuousTimestamps(probe.container) ? 0 : startSeconds;
  const snap = (seconds: number, round: (value: number) => number) =>
    rate === undefined ? round(seconds) : round(seconds * rate) / rate;
  const first = rate === undefined ? startSeconds - origin : snap(startSeconds - origin, Math.round);
  const wanted = start === undefined ? 0 : first + start - 1;
  const seek = wanted <= 0 ? 0 : Math.max(0, snap(seekPoint(probe, wanted), Math.floor));
  const bound = (name: string, value: number | undefined) =>
    value === undefined ? [] : [`${name}=${(first + value - seek).toFixed(6)}`];
  const bounds = [...bound('start', start), ...bound('end', end)];
  return {
    inputOptions: seek > 0 ? ['-ss', (origin + seek).toFixed(6)] : [],
    filters: bounds.length === 0 ? [] : [`trim=${bounds.join(':')}`],
  };
}

/** The source as the encoder sees it, but at its own size, then as the display shows it. */
function sourceFilters(
  video: VideoStream,
  { transform, cut, display }: { transform: FrameTransform; cut: string[]; display: Display },
): string[] {
  const ownSize = { ...transform, scale: evenSize(video) };
  return [...normalizeFrameSize(video), ...videoFilters(video, ownSize), ...cut, ...displayFilters(display)];
}

/** The constant frame rate of a transform, if it has one. */
export function rateOf({ framesPerSecond }: FrameTransform): number | undefined {
  if (typeof framesPerSecond !== 'string') return framesPerSecond;
  const [numerator = 0, denominator = 1] = framesPerSecond.split('/').map(Number);
  return numerator / denominator;
}
