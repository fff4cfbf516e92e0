import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { recipeRequestSchema } from '../core/recipes/registry.ts';
import { findFfmpeg } from '../local/ffmpeg.ts';
import { type CutFilm, cutFilm } from './harness/cut-film.ts';
import { type Benchmark, figure } from './harness/figure.ts';
import { makeFilm } from './harness/film.ts';
import { pairedRatios } from './harness/pairs.ts';
import { partStartSeconds } from './harness/part-start.ts';
import { type PlannedFilm, planFilm } from './harness/planned-film.ts';
import { type Taken, takenBy } from './harness/processor-time.ts';

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
    const film = await planFilm(input ?? (await aFilm(directory, say)), { recipe, directory });

    const [chunked, whole]: [Taken[], Taken[]] = [[], []];
    const measure = async (all: Taken[], name: string, act: () => Promise<unknown>) => {
      const taken = await takenBy(act);
      all.push(taken);
      say(`  ${name}: ${told(taken)}`);
      return taken.wall;
    };
    const subject = () => measure(chunked, 'in chunks', () => inChunks(film));
    const baseline = () => measure(whole, 'in one pass', () => film.run(film.onePass));
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
  await makeFilm({ ffmpeg: findFfmpeg(process.env).ffmpeg, path, minutes });
  return path;
}

function cut(film: PlannedFilm): Promise<CutFilm> {
  const { durationSeconds = 0 } = film.onePass;
  // A moment less than its share, since the last picture begins before the end.
  const targetChunkSeconds = Math.min(longestChunkSeconds, Math.floor((durationSeconds - 1) / atOnce));
  return cutFilm(film, { threads: 1, targetChunkSeconds });
}

/** The longest chunk first, and the sound beside them. */
async function inChunks(film: PlannedFilm): Promise<void> {
  const { chunks, encodeChunk, encodeSound, join: joinAll, check }: CutFilm = await cut(film);
  const limit = pLimit(atOnce);
  const longestFirst = chunks.toSorted((a, b) => b.chunk.cost - a.chunk.cost);
  await Promise.all([encodeSound(), ...longestFirst.map((part) => limit(() => encodeChunk(part)))]);
  await joinAll();
  await check();
}

/** Does it once more, one thing after the other, and says what each takes. */
async function sayAlone(film: PlannedFilm, say: (line: string) => void): Promise<void> {
  const { result: parts, ...index } = await takenBy(() => cut(film));
  say(`  alone: the index ${told(index)}`);
  for (const part of parts.chunks) {
    const { seconds } = part.chunk;
    const taken = await takenBy(() => parts.encodeChunk(part));
    say(`  alone: a chunk of ${seconds.toFixed(1)} s ${told(taken)}, ${share(taken, seconds)}`);
  }
  const { durationSeconds = 0 } = film.onePass;
  const sound = await takenBy(parts.encodeSound);
  say(`  alone: the sound ${told(sound)}, ${share(sound, durationSeconds)}`);
  say(`  alone: the join ${told(await takenBy(parts.join))}`);
  say(`  alone: the check ${told(await takenBy(parts.check))}`);
  say(`  alone: the start of a function for a part ${(await partStartSeconds()).toFixed(2)} s`);
}

function told({ wall, processor }: Taken): string {
  return `${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processors`;
}

function share({ processor }: Taken, seconds: number): string {
  return `${(processor / seconds).toFixed(4)} for each second`;
}
