import * as z from 'zod';
import { type Filter, filter, formatFilter } from '../filters/filter.ts';
import { evenSize, fitInside, type Size } from '../frame-size.ts';
import type { Command, CommandInput } from './command.ts';

/** ffmpeg's filter for VMAF. An ffmpeg without it needs the program `vmaf`. */
export const vmafFilter = 'libvmaf';

/** Models of libvmaf: for a 1080p display seen from three times its height, and for a 4K display from one and a half. */
type VmafModel = 'vmaf_v0.6.1' | 'vmaf_4k_v0.6.1';

export type Display = { size: Size; model: VmafModel };

const hdDisplay: Size = { width: 1920, height: 1080 };

const uhdDisplay: Size = { width: 3840, height: 2160 };

/** Halfway between 1080p and 2160p in pixels per side. */
const maxHdSide = 1.5 * hdDisplay.width;

/** libvmaf halves a frame four times. */
const minSide = 64;

/** The display that a source fills, and its size there. A smaller one is enlarged: the model expects a full screen. */
export function displayOf(source: Size): Display {
  const isUhd = Math.max(source.width, source.height) > maxHdSide;
  const { width, height } = isUhd ? uhdDisplay : hdDisplay;
  const screen = source.height > source.width ? { width: height, height: width } : { width, height };
  const size = evenSize(fitInside(source, screen));
  return {
    size: { width: Math.max(minSide, size.width), height: Math.max(minSide, size.height) },
    model: isUhd ? 'vmaf_4k_v0.6.1' : 'vmaf_v0.6.1',
  };
}

/** One time base for both videos: in two, the times of a pair would round differently and miss each other. */
const pairedByNumber = [filter('settb', '1/25'), filter('setpts', 'N')];

/** The last filters of both videos: display size, the pixel format of the models, and frames paired by number. */
export function displayFilters({ size }: Display): Filter[] {
  const scale = filter('scale', `${size.width}:${size.height}:flags=bicubic`, size);
  return [scale, filter('setsar', '1'), formatFilter('yuv420p'), ...pairedByNumber];
}

/** Scores every frame of an encoded video against its source by VMAF. Frames are paired by their number. */
export type VmafComparison = {
  encoded: ComparedVideo;
  source: ComparedVideo;
  model: VmafModel;
  /** Scores one frame of this many. The motion between frames counts all of them. */
  frameInterval: number;
  durationSeconds: number;
};

/** One video of a comparison. Its filters end with frames of the same size and pixel format as those of the other. */
export type ComparedVideo = { input: CommandInput; stream: number; filters: readonly Filter[] };

/** A command that scores a comparison by ffmpeg's filter and writes libvmaf's report to a file of its directory. */
export function filterCommand(
  { encoded, source, model, frameInterval, durationSeconds }: VmafComparison,
  { reportName, threads }: { reportName: string; threads: number },
): Command {
  const options = [
    `model=version=${model}`,
    `n_threads=${threads}`,
    `n_subsample=${frameInterval}`,
    'log_fmt=json',
    `log_path=${reportName}`,
    // Like the program: ends with the shorter video.
    'shortest=1:repeatlast=0',
  ];
  const graph = [
    { from: [`0:${encoded.stream}`], filters: encoded.filters, to: ['encoded'] },
    { from: [`1:${source.stream}`], filters: source.filters, to: ['source'] },
    { from: ['encoded', 'source'], filters: [filter(vmafFilter, options.join(':'))] },
  ];
  return {
    inputs: [encoded.input, source.input],
    outputArguments: ['-filter_complex', graph, '-f', 'null', '-'],
    durationSeconds,
  };
}

/** A command that writes the frames of one video, uncompressed, to the pipe at `path`. */
export function rawVideoCommand(
  { input, stream, filters }: ComparedVideo,
  { path, durationSeconds }: { path: string; durationSeconds: number },
): Command {
  const graph = [{ from: [`0:${stream}`], filters, to: ['frames'] }];
  const format = ['-fps_mode', 'passthrough', '-f', 'yuv4mpegpipe'];
  return {
    inputs: [input],
    outputArguments: ['-filter_complex', graph, '-map', '[frames]', ...format, path],
    durationSeconds,
  };
}

/** The arguments of the program `vmaf`, which reads two pipes and writes the same report as the filter. */
export function vmafArguments(
  { model, frameInterval }: Pick<VmafComparison, 'model' | 'frameInterval'>,
  paths: Record<'encodedPath' | 'sourcePath' | 'reportPath', string>,
  threads: number,
): string[] {
  return [
    ...['--reference', paths.sourcePath, '--distorted', paths.encodedPath, '--model', `version=${model}`],
    ...['--threads', String(threads), '--subsample', String(frameInterval)],
    ...['--json', '--output', paths.reportPath, '--quiet'],
  ];
}

const reportSchema = z.object({ frames: z.array(z.object({ metrics: z.object({ vmaf: z.number() }) })).min(1) });

/** The scores of libvmaf's report, 0 to 100. @throws Error if it has none */
export function readFrameScores(report: string): number[] {
  return reportSchema.parse(JSON.parse(report)).frames.map(({ metrics }) => metrics.vmaf);
}

/** Mean and 5th percentile of frame scores, rounded to 0.01. */
export function summarizeScores(frameScores: readonly number[]): { vmaf: number; vmafP5: number } {
  const sorted = frameScores.toSorted((a, b) => a - b);
  const mean = sorted.reduce((sum, score) => sum + score, 0) / sorted.length;
  const fifth = sorted[Math.ceil(0.05 * sorted.length) - 1];
  if (fifth === undefined) throw new Error('VMAF compared no frames');
  return { vmaf: roundScore(mean), vmafP5: roundScore(fifth) };
}

function roundScore(score: number): number {
  return Math.round(score * 100) / 100;
}
