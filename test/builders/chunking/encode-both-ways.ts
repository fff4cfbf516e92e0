import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import type { FirstResults } from '@media-jobs/video/chunking';
import {
  type ChunkedWork,
  type ChunkingDecision,
  type ChunkSettings,
  chunkedClips,
  chunkFormat,
  chunkSettingsSchema,
  chunkTasks,
  encodeFrameTimes,
  type JoinedVideo,
  joinCommands,
  mayAssembleStream,
  outputTracks,
  planChunks,
  runsFirst,
} from '@media-jobs/video/chunking';
import {
  type EncodingFiles,
  executePlan,
  type MediaFile,
  type PlannedOutput,
  type RunTask,
  resolvePlan,
  runTask,
  withInputOptions,
} from '@media-jobs/video/encoding';
import { findFonts } from '@media-jobs/video/local-programs';
import type { Format } from '@media-jobs/video/media';
import { planStep, recipeRequestSchema } from '@media-jobs/video/recipes';
import { fileRewriter, openWorkspace, packetReader } from '@media-jobs/video/runner';
import { anEncoder, ffmpegPrograms } from '@media-jobs/video/testing';
import type * as z from 'zod';
import { systemClock } from '../../../adapters/system/clock.ts';
import { type ChunkRunner, chunkRunner, type RunnerContext } from '../../../core/chunked/chunk-runner.ts';
import { measureOutputs } from '../../../core/worker/outputs.ts';
import type { WorkerContext } from '../../../core/worker/worker-context.ts';
import { type EncodedTask, encodeTask } from '../../../functions/encode-chunk/encode-task.ts';
import { joinChunks, verifyJoin } from '../../../functions/join-chunks/join.ts';
import { readVideos } from '../../../functions/transcode/cut-sources.ts';
import { audioCutter } from '../../../functions/transcode/plan-audio.ts';
import { workerPorts } from '../jobs/worker-ports.ts';
import { contextOf } from '../recipes/encode-all.ts';
import { assembledVideos, assembleOnDisk } from './assemble-on-disk.ts';
import { assembleStreamOnDisk } from './assemble-stream-on-disk.ts';

const reader = packetReader(ffmpegPrograms);
const timeLimitSeconds = 120;
const { signal } = new AbortController();

export type BothWays = {
  work: ChunkedWork;
  /** Where the sources and the other files of the encoding are. */
  inputs: { sources: readonly string[] } & EncodingFiles;
  threads: number | undefined;
  /** Encoded chunk tasks in the order of their numbers. */
  tasks: EncodedTask[];
  videos: JoinedVideo[];
  /** Paths of all finished files. */
  files: { output: PlannedOutput; single: string; chunked: string }[];
  /** Paths of the first finished file. */
  single: string;
  chunked: string;
};

type Options = Partial<ChunkSettings> & {
  /** Encoder threads of each chunk. */
  threads?: number;
  /** Cuts the audio into so many chunks, or where those of the video start. */
  audioChunks?: number | 'as video';
  /** The files are assembled: each chunk has its audio in its files, unless it is one of a stream. */
  isAssembled?: boolean;
  isMuted?: boolean;
  /** Recipes of the steps before it that are one encode with it. */
  earlier?: readonly z.input<typeof recipeRequestSchema>[];
  /** Paths of the files that parameters name. */
  assets?: Record<string, { path: string; role: 'input' | 'subtitles' }>;
};

/**
 * Encodes a file, or several, with a recipe in a single pass and in chunks, as the functions do. Throws if it cannot be cut.
 */
export async function encodeBothWays(
  from: string | readonly [string, ...string[]],
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
  {
    assets: named = {},
    earlier = [],
    threads,
    audioChunks: count,
    isAssembled = false,
    isMuted = false,
    ...settings
  }: Options = {},
): Promise<BothWays> {
  const encoder = anEncoder();
  const directory = await aTemporaryFolder();
  const paths = typeof from === 'string' ? ([from] as const) : from;
  const [path] = paths;
  const files = await Promise.all(paths.map(async (each) => ({ path: each, probe: await encoder.probe(each) })));
  const probe = await encoder.probe(path);
  const assets: Record<string, MediaFile> = {};
  for (const [name, { path, role }] of Object.entries(named)) {
    assets[name] = { path, probe: await encoder.probe(path, { role }) };
  }
  const input = {
    probe,
    format,
    inputPath: path,
    inputs: files,
    assets,
    parameters: {},
    outputDirectory: directory,
    canCompare: await encoder.canCompare(),
    fontsDirectory: findFonts(),
  };
  const [last, ...recipes] = [recipe, ...earlier].map((each) => recipeRequestSchema.parse(each));
  const step = { format, isIntermediate: false, ...(recipes.length > 0 && { earlier: { index: 0, recipes } }) };
  const requested = planStep({ ...step, recipe: last ?? recipeRequestSchema.parse(recipe) }, input);
  const run: RunTask = (task) => runTask(encoder, task, { directory, signal, timeLimitSeconds, stallSeconds: 60 });
  const decoding = withInputOptions(run, files);
  const plan = await executePlan(requested, decoding);
  const inChunks = 'measure' in requested ? requested.inChunks : undefined;
  const { encoding: planned, outputs } = inChunks ? (await resolvePlan(inChunks, decoding)).plan : plan;
  const encoding = planned && { ...planned, ...(isMuted && { isMuted }) };
  if (encoding === undefined) throw new Error(`${recipe.name} cannot be encoded in chunks`);
  const hasFinalFragments = isAssembled && mayAssembleStream({ encoding, outputs, isForProvider: false });
  const source = { path, probe };
  const { clips: clipsOfCut, ...cut } = await cutIntoChunks({ source, encoding, clips: requested.clips }, settings);
  const clips = chunkedClips(requested.clips, { clips: clipsOfCut });
  const cutAudio = await audioCutter(
    reader,
    { sources: files, encoding, format: chunkFormat(format), clips },
    { signal, timeLimitSeconds },
  );
  const seams = cut.chunks.slice(1).map(({ startSeconds }) => startSeconds);
  const hasAudio = outputTracks({ source: probe, encoding, clips }).length > 0;
  const isFile = isAssembled && !hasFinalFragments;
  const isAsVideo = hasAudio && (isFile || count === 'as video');
  const audioChunks = isAsVideo ? cutAudio(seams) : typeof count === 'number' ? cutAudio(count) : undefined;
  if (isFile && hasAudio && audioChunks === undefined) {
    throw new Error('The audio cannot be cut as the video');
  }
  const work: ChunkedWork = {
    encodedBy: { service: '1.0.0', ffmpeg: await encoder.version() },
    step: 0,
    source: probe,
    format: chunkFormat(format),
    encoding,
    outputs,
    ...cut,
    ...(clips && { clips }),
    audioChunks,
    ...(isFile && { isAssembled: true as const }),
    ...(hasFinalFragments && { hasFinalFragments: true as const }),
    result: { inputSizeBytes: probe.sizeBytes },
  };
  const inputs = { sources: paths, overlay: encoding.overlay?.path, subtitles: encoding.subtitles };
  const joined = await aTemporaryFolder();
  const runner = aChunkRunner(joined);
  const tasks = await encodeTasks(runner, work, { ...inputs, threads, directory: joined });
  const joining = {
    taskFile: (task: number, file: number) => tasks[task]?.paths[file] ?? '',
    directory: joined,
  };
  if (isFile) await assembleOnDisk(runner, { work, tasks, directory: joined });
  else if (hasFinalFragments) await assembleStreamOnDisk(runner, { work, tasks, files: joining });
  else await joinChunks(runner, { work, results: tasks.map(({ result }) => result), files: joining });
  const context = await contextOf(recipe);
  for (const each of [directory, joined]) await writePlaylistsIn(each, outputs, context);
  const finished = outputs.map((output) => ({
    output,
    single: join(directory, output.filename),
    chunked: join(joined, output.filename),
  }));
  const [{ single, chunked } = { single: '', chunked: '' }] = finished;
  const videos = isFile ? assembledVideos(work, joined) : joinCommands(work, joining).videos;
  return { work, inputs, threads, tasks, videos, files: finished, single, chunked };
}

/** Measures the files of an adaptive stream and writes its playlists, as workers do. */
async function writePlaylistsIn(
  directory: string,
  outputs: readonly PlannedOutput[],
  context: WorkerContext,
): Promise<void> {
  if (!outputs.some(({ playlist }) => playlist)) return;
  const workspace = await openWorkspace(directory);
  await measureOutputs(workerPorts({ media: anEncoder() }), context, { outputs, directory, workspace });
}

type CutWork = Pick<ChunkedWork, 'chunks' | 'timelineOrigin' | 'frameTimes'> &
  Pick<Extract<ChunkingDecision, { chunks: object }>, 'clips'>;

async function cutIntoChunks(
  planned: Parameters<typeof readVideos>[1],
  differences: Partial<ChunkSettings>,
): Promise<CutWork> {
  const videos = await readVideos(reader, planned, { reading: { signal, timeLimitSeconds } });
  const settings = chunkSettingsSchema.parse({ targetChunkSeconds: 3, ...differences });
  const decision = planChunks(videos, {
    settings,
    speed: 'fast',
    work: { cpuSeconds: 1, chunksSeconds: 1, expectedSeconds: 1 },
    remainingSeconds: 600,
  });
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const { chunks, timelineOrigin, frameTimes, clips } = decision;
  return { chunks: [...chunks], timelineOrigin, frameTimes: encodeFrameTimes(frameTimes), clips };
}

/** Runs commands and reads packets with the real programs. */
export function aChunkRunner(directory: string, { proxy }: Pick<RunnerContext, 'proxy'> = {}): ChunkRunner {
  const deadline = new Date(Date.now() + 1000 * timeLimitSeconds * 10);
  const deps = { media: anEncoder(), packets: reader, clock: systemClock, stallSeconds: 60 };
  return chunkRunner(deps, { directory, signal, deadline, rewriter: fileRewriter, ...(proxy && { proxy }) });
}

type TaskInputs = BothWays['inputs'] & {
  isRemote?: boolean;
  threads: number | undefined;
  /** Directory of the encoded files. */
  directory: string;
};

/** Encodes all tasks, one after the other, in the order of an execution. */
export async function encodeTasks(
  runner: ChunkRunner,
  work: ChunkedWork,
  { directory, ...inputs }: TaskInputs,
): Promise<EncodedTask[]> {
  const tasks: EncodedTask[] = [];
  const numbered = [...chunkTasks(work).entries()];
  const encodeAll = async (isFirst: boolean, first: FirstResults) => {
    for (const [number, task] of numbered.filter(([, each]) => runsFirst(work, each) === isFirst)) {
      const files = { ...inputs, outputPath: (file: number) => join(directory, `task-${number}-${file}`) };
      tasks[number] = await encodeTask(runner, { work, task, files, first });
    }
  };
  await encodeAll(true, []);
  await encodeAll(
    false,
    tasks.flatMap((task) => task?.result ?? []),
  );
  return tasks;
}

/** Verifies another file in place of the joined one. */
export async function verifyInstead({ work, tasks, videos }: BothWays, path: string): Promise<void> {
  const replaced = videos.map((video) => ({ ...video, path, audioPath: video.audioPath && path }));
  const results = tasks.map(({ result }) => result);
  await verifyJoin(aChunkRunner(await aTemporaryFolder()), { work, results, videos: replaced });
}
