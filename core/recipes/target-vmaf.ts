import * as z from 'zod';
import { JobError } from '../errors.ts';
import { oneGraph, oneSize } from '../media/changing-size.ts';
import type { Command } from '../media/command.ts';
import { chosenTrial, mostTrials, nextCrf, type Search, type Tried } from '../media/quality-search.ts';
import { endOf, requireMovingPicture } from '../media/streams.ts';
import type { VideoCodec } from '../media/video-codecs.ts';
import { videoFilters } from '../media/video-filters.ts';
import { readVmaf, vmafFilter, vmafGraph } from '../media/vmaf.ts';
import { cutArguments, encodeVideo } from './encode-video.ts';
import type { Measurement, Plan, PlanInput } from './recipe.ts';
import type { VideoEncoding } from './video-encoding.ts';

export const targetVmafParameter = z.number().min(30).max(99).optional().meta({
  description:
    'Quality to reach by the VMAF scale of 0 to 100, in place of crf, from which the search begins then: samples tell which crf makes the smallest file that still scores this. 93 is hard to tell from the source.',
});

/** Values of crf beyond which nobody would go, for each encoder. */
const crfRanges: Record<VideoCodec, readonly [number, number]> = {
  h264: [10, 45],
  h265: [10, 45],
  vp9: [12, 60],
  av1: [12, 60],
};

/** A source up to this length is its own sample; of a longer one there are three. */
const shortSeconds = 12;
const sampleSeconds = 4;
const samples = 3;

/** How much of the whole work the search is taken to be. */
const searchShare = 0.5;

type Range = { start: number; end: number };
type Wanted = { encoding: VideoEncoding & { quality: { crf: number } }; target: number };

/**
 * A plan that finds the crf for a VMAF score on samples, and then encodes with it. Its measurements are `crf` and
 * `vmaf`, the score of the samples.
 * @throws JobError `INPUT_UNSUPPORTED` where this ffmpeg cannot measure it
 */
export function encodeToVmaf(input: PlanInput<unknown>, { encoding, target }: Wanted): Measurement {
  if (!input.filters.has(vmafFilter)) {
    const message = `The ffmpeg of this deployment has no ${vmafFilter}: use crf in place of targetVmaf`;
    throw new JobError('INPUT_UNSUPPORTED', message, { retryable: false });
  }
  const search: Search = { target, first: encoding.quality.crf, range: crfRanges[encoding.codec] };
  const encodeWith = (crf: number) => encodeVideo(input, { ...encoding, quality: { crf } });
  const { outputs } = encodeWith(search.first);
  const ranges = sampleRanges(input);
  const most = mostTrials * ranges.length;

  const measure = (tried: Tried[], crf: number, scores: number[]): Measurement => {
    const range = ranges[scores.length] as Range;
    return {
      measure: sampleCommands(input, { ...encoding, quality: { crf }, range }),
      progressTo: (searchShare * (tried.length * ranges.length + scores.length + 1)) / most,
      outputs,
      encoding,
      decide(log) {
        const all = [...scores, readVmaf(log)];
        if (all.length < ranges.length) return measure(tried, crf, all);
        return next([...tried, { crf, score: mean(all) }]);
      },
    };
  };
  const next = (tried: Tried[]): Plan | Measurement => {
    const crf = nextCrf(tried, search);
    if (crf !== undefined) return measure(tried, crf, []);
    const { crf: found, score } = chosenTrial(tried, target);
    return { ...encodeWith(found), measurements: { crf: found, vmaf: Math.round(score * 100) / 100 } };
  };
  return next([]) as Measurement;
}

/** Encodes one sample, and compares it with the source. */
function sampleCommands(input: PlanInput<unknown>, encoding: VideoEncoding & { range: Range }): Command[] {
  const place = { ...input, format: 'mkv' as const };
  const sample = encodeVideo(place, { ...encoding, isSilent: true });
  const [output] = sample.outputs;
  if (output === undefined) throw new TypeError('A sample is one file');
  const video = requireMovingPicture(input.probe);
  const { range, picture } = encoding;
  const { options, from } = cutArguments(input, range);
  const start = (range.start - from).toFixed(3);
  const cut = `trim=start=${start}:duration=${(range.end - range.start).toFixed(3)}`;
  const graph = vmafGraph({
    encoded: '0:0',
    source: `1:${video.index}`,
    filters: [...oneSize(video), ...videoFilters(video, picture), cut],
  });
  return [
    ...sample.commands,
    {
      inputs: [
        { path: `${input.outputDirectory}/${output.filename}`, isOurs: true },
        { path: input.inputPath, options: [...oneGraph(video), ...options] },
      ],
      outputArguments: ['-filter_complex', graph, '-f', 'null', '-'],
      durationSeconds: range.end - range.start,
    },
  ];
}

function sampleRanges({ probe }: PlanInput<unknown>): Range[] {
  const end = endOf(probe, [requireMovingPicture(probe)]) ?? 0;
  if (end <= shortSeconds) return [{ start: 0, end }];
  return Array.from({ length: samples }, (_, index) => {
    const start = ((index + 0.5) * end) / samples - sampleSeconds / 2;
    return { start, end: start + sampleSeconds };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
