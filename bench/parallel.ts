import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { recipeRequestSchema } from '../core/recipes/registry.ts';
import { findFfmpeg } from '../local/find-ffmpeg.ts';
import { type Benchmark, figure } from './harness/figures/figure.ts';
import { pairedRatios } from './harness/figures/pairs.ts';
import { chunkTaskStartSeconds } from './harness/parallel/chunk-start.ts';
import { type ChunkedVideo, chunkVideo } from './harness/parallel/chunked-video.ts';
import { type PlannedVideo, planVideo } from './harness/parallel/planned-video.ts';
import { makeTestVideo } from './harness/parallel/test-video.ts';
import { measureUsage, type Usage } from './harness/process/processor-time.ts';

const minutes = 4;
const pairs = 5;
const goals = { wall: 1, processor: 1.1 };
/** The most that a stage may be told. */
const longestChunkSeconds = 3600;
const recipe = recipeRequestSchema.parse({ name: 'compress', crf: 28 });

/** As many chunks as there are processors, one of which each encoder has for itself: each chunk more costs a run-in. */
const atOnce = Math.max(2, availableParallelism());

/** What chunks cost beside one pass, where neither has more processors than the other. */
export const parallel: Benchmark = {
  name: 'parallel',
  question: `How long does a film of ${minutes} minutes take in as many chunks as there are processors, side by side, and how much of their time?`,
  baseline:
    'ffmpeg in one pass with the same arguments; the index, the sound, the join and its check are in the figures of the chunks',
  run: async (say, { input }) => {
    await using cleanup = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'bench-parallel-'));
    cleanup.defer(() => rm(directory, { recursive: true, force: true }));
    const film = await planVideo(input ?? (await aFilm(directory, say)), { recipe, directory });

    const [chunked, whole]: [Usage[], Usage[]] = [[], []];
    const measure = async (all: Usage[], name: string, act: () => Promise<unknown>) => {
      const taken = await measureUsage(act);
      all.push(taken);
      say(`  ${name}: ${told(taken)}`);
      return taken.wall;
    };
    const subject = () => measure(chunked, 'in chunks', () => inChunks(film));
    const baseline = () => measure(whole, 'in one pass', () => film.run(film.singlePass));
    const wall = await pairedRatios({ subject, baseline }, { pairs });
    const processor = chunked.map((taken, pair) => taken.processor / (whole[pair]?.processor ?? 0)).slice(1);
    await sayAlone(film, say);
    return [
      figure('parallel', wall, goals.wall),
      figure('parallel processor time', processor, goals.processor),
    ];
  },
};

async function aFilm(directory: string, say: (line: string) => void): Promise<string> {
  say(`  Making a film of ${minutes} minutes, 1280x720`);
  const path = join(directory, 'film.mp4');
  await makeTestVideo({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, minutes });
  return path;
}

function cut(film: PlannedVideo): Promise<ChunkedVideo> {
  const { durationSeconds = 0 } = film.singlePass;
  // A moment less than its share, since the last picture begins before the end.
  const targetChunkSeconds = Math.min(longestChunkSeconds, Math.floor((durationSeconds - 1) / atOnce));
  return chunkVideo(film, { threads: 1, targetChunkSeconds });
}

/** The longest chunk first, and the sound beside them. */
async function inChunks(film: PlannedVideo): Promise<void> {
  const { chunks, encodeChunk, encodeAudio, join: joinAll, check }: ChunkedVideo = await cut(film);
  const limit = pLimit(atOnce);
  const longestFirst = chunks.toSorted((a, b) => b.chunk.costShare - a.chunk.costShare);
  await Promise.all([encodeAudio(), ...longestFirst.map((part) => limit(() => encodeChunk(part)))]);
  await joinAll();
  await check();
}

/** Does it once more, one thing after the other, and says what each takes. */
async function sayAlone(film: PlannedVideo, say: (line: string) => void): Promise<void> {
  const { result: parts, ...index } = await measureUsage(() => cut(film));
  say(`  alone: the index ${told(index)}`);
  for (const part of parts.chunks) {
    const { durationSeconds: seconds } = part.chunk;
    const taken = await measureUsage(() => parts.encodeChunk(part));
    say(`  alone: a chunk of ${seconds.toFixed(1)} s ${told(taken)}, ${share(taken, seconds)}`);
  }
  const { durationSeconds = 0 } = film.singlePass;
  const sound = await measureUsage(parts.encodeAudio);
  say(`  alone: the sound ${told(sound)}, ${share(sound, durationSeconds)}`);
  say(`  alone: the join ${told(await measureUsage(parts.join))}`);
  say(`  alone: the check ${told(await measureUsage(parts.check))}`);
  say(`  alone: the start of a function for a part ${(await chunkTaskStartSeconds()).toFixed(2)} s`);
}

function told({ wall, processor }: Usage): string {
  return `${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processors`;
}

function share({ processor }: Usage, seconds: number): string {
  return `${(processor / seconds).toFixed(4)} for each second`;
}
