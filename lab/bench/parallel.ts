import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { recipeRequestSchema } from '@media-jobs/video/recipes';
import pLimit from 'p-limit';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { chunkTaskStartSeconds } from './harness/parallel/chunk-start.ts';
import { type ChunkedVideo, chunkVideo } from './harness/parallel/chunked-video.ts';
import { type PlannedVideo, planVideo } from './harness/parallel/planned-video.ts';
import { makeTestVideo } from './harness/parallel/test-video.ts';
import { measureUsage, type Usage } from './harness/process/processor-time.ts';

const minutes = { whole: 3, quick: 2 };
const pairs = { whole: 4, quick: 2 };
const goals = { wall: 1, processor: 1.1 };
/** The maximum of the setting. */
const maxChunkSeconds = 3600;
const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });

/** One chunk per CPU, each encoded with one thread: every further chunk costs a preroll. */
const atOnce = Math.max(2, availableParallelism());

/** The cost of chunks compared with a single pass, with the same CPUs for both. */
export const parallel: Benchmark = {
  name: 'parallel',
  question: `How long does a video of ${minutes.whole} minutes take in as many concurrent chunks as there are CPUs, and how much CPU time?`,
  baseline:
    'ffmpeg in a single pass with the same arguments; the figures of the chunks include the frame index, the audio, the join and its verification',
  run: async (print, { extent, input }) => {
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bench-parallel-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const video = await planVideo(input ?? (await generateVideo(directory, { minutes: minutes[extent], print })), {
      recipe,
      directory,
    });

    const [chunked, whole]: [Usage[], Usage[]] = [[], []];
    const measure = async (all: Usage[], name: string, act: () => Promise<unknown>) => {
      const usage = await measureUsage(act);
      all.push(usage);
      print(`  ${name}: ${usageText(usage)}`);
      return usage.wall;
    };
    const subject = () => measure(chunked, 'in chunks', () => inChunks(video));
    const baseline = () => measure(whole, 'in a single pass', () => video.run(video.singlePass));
    const wall = await pairedRatios({ subject, baseline }, { pairs: pairs[extent] });
    const processor = chunked.map((usage, pair) => usage.processor / (whole[pair]?.processor ?? 0)).slice(1);
    if (extent === 'whole') await printSteps(video, print);
    return [figure('parallel', wall, goals.wall), figure('parallel processor time', processor, goals.processor)];
  },
};

async function generateVideo(
  directory: string,
  { minutes, print }: { minutes: number; print: (line: string) => void },
): Promise<string> {
  print(`  Generating a video of ${minutes} minutes, 1280x720`);
  const path = join(directory, 'video.mp4');
  await makeTestVideo({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, minutes });
  return path;
}

function cut(video: PlannedVideo): Promise<ChunkedVideo> {
  const { durationSeconds = 0 } = video.singlePass;
  // One second less than the share: the last frame starts before the end.
  const targetChunkSeconds = Math.min(maxChunkSeconds, Math.floor((durationSeconds - 1) / atOnce));
  return chunkVideo(video, { threads: 1, targetChunkSeconds });
}

/** The most expensive chunk first, and the audio concurrently. */
async function inChunks(video: PlannedVideo): Promise<void> {
  const { chunks, encodeChunk, encodeAudio, join: joinAll, check }: ChunkedVideo = await cut(video);
  const limit = pLimit(atOnce);
  const byCost = chunks.toSorted((a, b) => b.chunk.costShare - a.chunk.costShare);
  await Promise.all([encodeAudio(), ...byCost.map((task) => limit(() => encodeChunk(task)))]);
  await joinAll();
  await check();
}

/** Repeats the steps in sequence, and prints the time of each. */
async function printSteps(video: PlannedVideo, print: (line: string) => void): Promise<void> {
  const { result: steps, ...index } = await measureUsage(() => cut(video));
  print(`  alone: the frame index ${usageText(index)}`);
  for (const task of steps.chunks) {
    const { durationSeconds: seconds } = task.chunk;
    const usage = await measureUsage(() => steps.encodeChunk(task));
    print(`  alone: a chunk of ${seconds.toFixed(1)} s ${usageText(usage)}, ${share(usage, seconds)}`);
  }
  const { durationSeconds = 0 } = video.singlePass;
  const audio = await measureUsage(steps.encodeAudio);
  print(`  alone: the audio ${usageText(audio)}, ${share(audio, durationSeconds)}`);
  print(`  alone: the join ${usageText(await measureUsage(steps.join))}`);
  print(`  alone: the verification ${usageText(await measureUsage(steps.check))}`);
  print(`  alone: the start of a chunk task ${(await chunkTaskStartSeconds()).toFixed(2)} s`);
}

function usageText({ wall, processor }: Usage): string {
  return `${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processors`;
}

function share({ processor }: Usage, seconds: number): string {
  return `${(processor / seconds).toFixed(4)} for each second`;
}
