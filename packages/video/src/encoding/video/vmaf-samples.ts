import type { CommandInput } from '../../media/ffmpeg/command.ts';
import { originSecondsOf, seekPoint } from '../../media/ffmpeg/seek.ts';
import {
  type Display,
  displayFilters,
  displayOf,
  summarizeScores,
  type VmafComparison,
} from '../../media/ffmpeg/vmaf-comparison.ts';
import { type Filter, mayHoldFrame, startWithHeldFrame, trimSeconds } from '../../media/filters/filter.ts';
import {
  type FrameTransform,
  keepFilterGraph,
  normalizeFrameSize,
  videoFilters,
} from '../../media/filters/video-filters.ts';
import { toFps } from '../../media/frame-rate.ts';
import { evenSize } from '../../media/frame-size.ts';
import type { Probe, VideoStream } from '../../media/probe/probe.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { MediaFile, OutputMeasurement } from '../plan.ts';
import {
  finishedSampling,
  type Sample,
  type Sampling,
  type ScoredSample,
  sampleRound,
  scoreSamples,
  standardError,
} from './sampling.ts';

/** The source of a comparison: a file, its probe, and the transform between source and encoded video. */
export type ComparedSource = MediaFile & Pick<CommandInput, 'isRemote'> & { transform: FrameTransform };

/** Scores an encoded sample, the frames of the source that `inputOptions` and `cut` select. */
export function compareSample(
  { path, probe, transform, ...kind }: ComparedSource,
  { encodedPath, inputOptions, cut }: { encodedPath: string; inputOptions: string[]; cut: Filter[] },
  durationSeconds: number,
): VmafComparison {
  const video = requireVideo(probe);
  const display = displayOf(video);
  return {
    encoded: { input: { path: encodedPath, isTrusted: true }, stream: 0, filters: displayFilters(display) },
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

/** Measures `vmaf` and `vmafP5`, of a long file by rounds of samples until the standard error of the mean is small. */
export function measureVmaf(
  source: ComparedSource,
  outputPath: string,
  sampling: Sampling = finishedSampling,
): OutputMeasurement {
  const video = requireVideo(source.probe);
  const durationSeconds = endSecondsOf(source.probe, [video]) ?? 0;
  const compared = { encodedPath: outputPath, inputOptions: [], cut: [] };
  const { framesPerSecond = 25 } = video;
  return {
    comparesWithSource: true,
    measure: [{ probePath: outputPath }],
    expected: sampleRound({ durationSeconds, framesPerSecond }, sampling, 0).map(
      ({ start = 0, end = durationSeconds }) => compareSample(source, compared, end - start),
    ),
    read(_, [result]) {
      if (result?.probe === undefined) throw new TypeError('The finished file was not probed');
      const finished = { path: outputPath, probe: result.probe };
      const { framesPerSecond = 25 } = requireVideo(result.probe);
      const measureWhole: OutputMeasurement = {
        measure: [compareFinished(source, finished, { sample: {}, durationSeconds })],
        read: (_, results) => summarizeScores(scoreSamples([{}], results).flatMap(({ scores }) => scores)),
      };
      const measureRound = (round: number, earlier: readonly ScoredSample[]): OutputMeasurement => {
        const samples = sampleRound({ durationSeconds, framesPerSecond }, sampling, round);
        return {
          measure: samples.map((sample) => compareFinished(source, finished, { sample, durationSeconds })),
          read(_, results) {
            const scored = [...earlier, ...scoreSamples(samples, results)];
            const isPrecise = samples.length === 1 || standardError(scored) < sampling.maxStandardError;
            if (!isPrecise && round + 1 < sampling.maxRounds) return measureRound(round + 1, scored);
            if (!isPrecise && durationSeconds <= sampling.maxWholeSeconds) return measureWhole;
            return summarizeScores(scored.flatMap(({ scores }) => scores));
          },
        };
      };
      return measureRound(0, []);
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
  // The rate of the source decides for both, so that they have the same frames.
  const startsWithHeldFrame = mayHoldFrame(requireVideo(source.probe));
  const ofSource = cutSample(source.probe, bounds, { rate, startsWithHeldFrame });
  const ofFinished = cutSample(finished.probe, bounds, { startsWithHeldFrame });
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
 * deinterlacer has neighbours. With `rate`, the constant rate of a filter, it keeps the phase of that rate. No frame of a
 * variable rate may start within a sample: it starts with the one on screen.
 */
function cutSample(
  probe: Probe,
  { start, end }: Sample,
  { rate, startsWithHeldFrame }: { rate?: number | undefined; startsWithHeldFrame: boolean },
): { inputOptions: string[]; filters: Filter[] } {
  const video = requireVideo(probe);
  const { startSeconds } = video;
  const origin = originSecondsOf(probe, [video]);
  const snap = (seconds: number, round: (value: number) => number) =>
    rate === undefined ? round(seconds) : round(seconds * rate) / rate;
  const first = rate === undefined ? startSeconds - origin : snap(startSeconds - origin, Math.round);
  const wanted = start === undefined ? 0 : first + start - 1;
  const seek = wanted <= 0 ? 0 : Math.max(0, snap(seekPoint(probe, wanted), Math.floor));
  const bound = (value: number | undefined) => (value === undefined ? undefined : (first + value - seek).toFixed(6));
  const needsFilter = startsWithHeldFrame && rate === undefined && start !== undefined && start > 0;
  return {
    inputOptions:
      seek > 0 ? [...(startsWithHeldFrame ? ['-noaccurate_seek'] : []), '-ss', (origin + seek).toFixed(6)] : [],
    filters: [
      ...(needsFilter ? [startWithHeldFrame(first + start - seek)] : []),
      ...trimSeconds({ start: bound(start), end: bound(end) }),
    ],
  };
}

/** The source as the encoder sees it, but at its own size, then as the display shows it. */
function sourceFilters(
  video: VideoStream,
  { transform, cut, display }: { transform: FrameTransform; cut: Filter[]; display: Display },
): Filter[] {
  const ownSize = { ...transform, scale: evenSize(video) };
  return [...normalizeFrameSize(video), ...videoFilters(video, ownSize), ...cut, ...displayFilters(display)];
}

export function rateOf({ framesPerSecond }: FrameTransform): number | undefined {
  return framesPerSecond === undefined ? undefined : toFps(framesPerSecond);
}
