import * as z from 'zod';
import { JobError } from '../../errors.ts';
import type { VideoCodec } from '../../media/codecs/video-codecs.ts';
import type { Command } from '../../media/ffmpeg/command.ts';
import { keepFilterGraph, normalizeFrameSize, videoFilters } from '../../media/filters/video-filters.ts';
import { readVmaf, vmafFilter, vmafGraph } from '../../media/filters/vmaf.ts';
import type { VideoFormat } from '../../media/formats.ts';
import { endSecondsOf, requireVideo } from '../../media/probe/streams.ts';
import type { VideoEncoding } from '../encoding.ts';
import type { PendingPlan, Plan, PlanInput } from '../plan.ts';
import { bestTrial, type CrfSearch, type CrfTrial, maxTrials, nextCrf } from './crf-search.ts';
import { encodeVideo, seekArguments } from './encode-video.ts';

export const targetVmafParameter = z.number().min(30).max(99).optional().meta({
  description:
    'Quality to reach on the VMAF scale of 0 to 100. Samples decide which crf makes the smallest file that still scores this; crf is only the first one tried. 93 is hard to tell from the source.',
});

/** The useful CRF range of each encoder. */
const crfRanges: Record<VideoCodec, readonly [number, number]> = {
  h264: [10, 45],
  h265: [10, 45],
  vp9: [12, 60],
  av1: [12, 60],
};

/** A source up to this length is measured whole, a longer one by three samples. */
const shortSeconds = 12;
const sampleSeconds = 4;
const sampleCount = 3;

/** Share of all work, 0 to 1, that the search counts for. */
const searchShare = 0.5;

type VideoInput = PlanInput<unknown, VideoFormat>;
type Range = { start: number; end: number };
type VmafTarget = { encoding: VideoEncoding & { quality: { crf: number } }; target: number };

/**
 * A plan that finds the CRF for a VMAF score on samples, then encodes with it. Its measurements are `crf` and `vmaf`,
 * the score of the samples.
 * @throws JobError `INPUT_UNSUPPORTED` if this ffmpeg has no libvmaf
 */
export function encodeToVmaf(input: VideoInput, { encoding, target }: VmafTarget): Plan | PendingPlan {
  if (!input.filters.has(vmafFilter)) {
    const message = `The ffmpeg of this deployment has no ${vmafFilter}: use crf instead of targetVmaf`;
    throw new JobError('INPUT_UNSUPPORTED', message);
  }
  const search: CrfSearch = { target, initialCrf: encoding.quality.crf, crfRange: crfRanges[encoding.codec] };
  const encodeWith = (crf: number) => encodeVideo(input, { ...encoding, quality: { crf } });
  const { outputs } = encodeWith(search.initialCrf);
  const ranges = sampleRanges(input);
  const maxSamples = maxTrials * ranges.length;

  const measureCrf = (trials: CrfTrial[], crf: number, scores: number[]): PendingPlan => {
    const range = ranges[scores.length];
    if (range === undefined) throw new TypeError('Every sample is measured already');
    return {
      measure: sampleCommands(input, { ...encoding, quality: { crf }, range }),
      progressAfter: (searchShare * (trials.length * ranges.length + scores.length + 1)) / maxSamples,
      outputs,
      encoding,
      decide(log) {
        const all = [...scores, readVmaf(log)];
        if (all.length < ranges.length) return measureCrf(trials, crf, all);
        return continueSearch([...trials, { crf, score: mean(all) }]);
      },
    };
  };
  const continueSearch = (trials: CrfTrial[]): Plan | PendingPlan => {
    const crf = nextCrf(trials, search);
    if (crf !== undefined) return measureCrf(trials, crf, []);
    const { crf: found, score } = bestTrial(trials, target);
    return { ...encodeWith(found), measurements: { crf: found, vmaf: Math.round(score * 100) / 100 } };
  };
  return continueSearch([]);
}

/** Encodes one sample and scores it against the source. */
function sampleCommands(input: VideoInput, encoding: VideoEncoding & { range: Range }): Command[] {
  const sampleInput = { ...input, format: 'mkv' as const };
  const sample = encodeVideo(sampleInput, { ...encoding, isMuted: true });
  const [output] = sample.outputs;
  if (output === undefined) throw new TypeError('Expected one output of a sample, found none');
  const video = requireVideo(input.probe);
  const { range, transform } = encoding;
  const { inputOptions, seekSeconds } = seekArguments(input, range);
  const start = (range.start - seekSeconds).toFixed(3);
  const cut = `trim=start=${start}:duration=${(range.end - range.start).toFixed(3)}`;
  const graph = vmafGraph({
    encoded: '0:0',
    source: `1:${video.index}`,
    filters: [...normalizeFrameSize(video), ...videoFilters(video, transform), cut],
  });
  return [
    ...sample.commands,
    {
      inputs: [
        { path: `${input.outputDirectory}/${output.filename}`, isTrusted: true },
        { path: input.inputPath, options: [...keepFilterGraph(video), ...inputOptions] },
      ],
      outputArguments: ['-filter_complex', graph, '-f', 'null', '-'],
      durationSeconds: range.end - range.start,
    },
  ];
}

function sampleRanges({ probe }: PlanInput<unknown>): Range[] {
  const end = endSecondsOf(probe, [requireVideo(probe)]) ?? 0;
  if (end <= shortSeconds) return [{ start: 0, end }];
  return Array.from({ length: sampleCount }, (_, index) => {
    const start = ((index + 0.5) * end) / sampleCount - sampleSeconds / 2;
    return { start, end: start + sampleSeconds };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
