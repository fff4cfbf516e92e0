import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { executePlan, type MediaFile, runTask } from '@media-jobs/video/encoding';
import { type Encoder, ffmpegArguments } from '@media-jobs/video/ffmpeg';
import { findFfmpeg, findFonts } from '@media-jobs/video/local-programs';
import type { Format } from '@media-jobs/video/media';
import { listAssets, planRecipe, type RecipeRequest } from '@media-jobs/video/recipes';
import { ffmpegEncoder } from '@media-jobs/video/runner';

/** The limits of a worker, so that the arguments equal those of the worker. */
const bounds = {
  maxPixels: 8192 * 8192,
  maxAllocationBytes: 2 ** 30,
  maxCpuSeconds: 900 * availableParallelism(),
  cpuCount: availableParallelism(),
};

const maxRunSeconds = 600;

/** The inputs of a recipe, and the files that its parameters name. */
export type Files<File> = { inputs: readonly File[]; assets?: Readonly<Record<string, File>> };

/** The inputs, then the assets. */
export function allFiles<File>({ inputs, assets = {} }: Files<File>): File[] {
  return [...inputs, ...Object.values(assets)];
}

/** The ffmpeg runs of one recipe, without the service. */
export type BareRuns = {
  /** The paths of the files to read, in the order of `allFiles`. */
  paths: string[];
  /** The paths of the outputs, without the playlists of an adaptive stream. */
  outputPaths: string[];
  run(): Promise<void>;
  /** The commands of the runs, of a plan without measurements. They write the same files. */
  commands(): Promise<string[][]>;
  /** The paths of the media files among the outputs, which a caller may probe. */
  mediaPaths: string[];
  encoder: Encoder;
};

/**
 * Plans a recipe for local files and calls `use` with its runs, in a directory that is removed afterwards. With
 * `inPlace` the runs read the files themselves; otherwise `use` first copies them to `paths`.
 */
export async function withBareRuns<Result>(
  { files, recipe, format, environment, inPlace }: BareRunOptions,
  use: (runs: BareRuns) => Promise<Result>,
): Promise<Result> {
  const { ffmpeg, ffprobe } = findFfmpeg(environment);
  const outputDirectory = await mkdtemp(join(tmpdir(), 'bare-ffmpeg-'));
  const paths = allFiles(files).map((path, index) => (inPlace ? path : join(outputDirectory, `read-${index}`)));
  try {
    const encoder = ffmpegEncoder({ ffmpegPath: ffmpeg, ffprobePath: ffprobe });
    const read = await measured(encoder, { files, recipe, paths });
    const [{ probe: inputProbe, path: inputPath }] = read.inputs;
    const options = { ...read, inputPath, outputDirectory, canCompare: await encoder.canCompare() };
    const plan = planRecipe(recipe, { ...options, probe: inputProbe, format, fontsDirectory: findFonts() });
    // The service writes the playlists, from what it measures of the media files.
    const outputs = plan.outputs.filter(({ playlist }) => playlist === undefined);
    const limits = { timeLimitSeconds: maxRunSeconds, stallSeconds: maxRunSeconds };
    const run = async () => {
      const signal = AbortSignal.timeout(maxRunSeconds * 1000);
      const decided = await executePlan(plan, async (task) => {
        if (!('outputArguments' in task))
          return runTask(encoder, task, { directory: outputDirectory, signal, ...limits });
        return { log: await runProgram(ffmpeg, ffmpegArguments(task, bounds)) };
      });
      for (const { filename, content } of decided.outputs) {
        if (content !== undefined) await writeFile(join(outputDirectory, filename), content);
      }
    };
    const commands = async () => {
      const all: string[][] = [];
      await executePlan(plan, async (task) => {
        if ('outputArguments' in task) all.push([ffmpeg, ...ffmpegArguments(task, bounds)]);
        return { log: '' };
      });
      return all;
    };
    const outputPaths = outputs.map(({ filename }) => join(outputDirectory, filename));
    const mediaPaths = outputPaths.filter((_, index) => {
      const { expectation } = outputs[index] ?? {};
      return expectation !== undefined && !expectation.referencesFiles;
    });
    return await use({ paths, outputPaths, mediaPaths, encoder, run, commands });
  } finally {
    await rm(outputDirectory, { recursive: true, force: true });
  }
}

export type BareRunOptions = {
  files: Files<string>;
  recipe: RecipeRequest;
  format: Format;
  /** Says where ffmpeg is; normally `process.env`. */
  environment: Readonly<Record<string, string | undefined>>;
  inPlace?: boolean;
};

/** The probed files, at the paths that the runs read. */
async function measured(
  encoder: Encoder,
  { files, recipe, paths }: Pick<BareRunOptions, 'files' | 'recipe'> & Pick<BareRuns, 'paths'>,
): Promise<{ inputs: [MediaFile, ...MediaFile[]]; assets: Record<string, MediaFile> }> {
  const names = Object.keys(files.assets ?? {});
  const kinds = names.map((name) => listAssets(recipe).find((asset) => asset.name === name)?.kind);
  const count = files.inputs.length;
  const found = await Promise.all(
    allFiles(files).map(async (sample, index) => {
      const role = kinds[index - count] === 'subtitles' ? 'subtitles' : 'input';
      return { path: paths[index] ?? sample, probe: await encoder.probe(sample, { role }) };
    }),
  );
  const [first, ...others] = found.slice(0, count);
  if (first === undefined) throw new TypeError('Expected at least one input, found none');
  return {
    inputs: [first, ...others],
    assets: Object.fromEntries(found.slice(count).map((file, index) => [names[index] ?? '', file])),
  };
}

/** The wall seconds of an action. */
export async function wallSeconds(act: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await act();
  return (performance.now() - startedAt) / 1000;
}

/** Returns the standard error of the program. */
async function runProgram(program: string, args: string[]): Promise<string> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (code !== 0) throw new Error(`ffmpeg exited with code ${code}: ${args.join(' ')}`);
  return log;
}
