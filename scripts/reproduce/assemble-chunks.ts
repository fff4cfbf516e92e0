import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFile } from '../../adapters/filesystem/open-file.ts';
import { assembleMovie } from '../../core/chunking/assembly/assemble-movie.ts';
import { type Movie, readMovie } from '../../core/media/mp4/read-movie.ts';
import { missingCommandError } from './recorded-command.ts';
import { encodedPattern } from './relocate.ts';

/** A chunk that was made again: its file, and when it starts. */
type MadeChunk = { path: string; startSeconds: number };

/**
 * Joins the files of chunks, as the service does where S3 assembles its outputs: no command writes such a file. The times
 * are those of the commands. Undefined if there are no such chunks.
 *
 * @param recorded the commands of the job
 * @param paths the files that were made
 * @param file the number of the output among those of each chunk
 */
export async function assembleChunks(
  recorded: readonly (readonly string[])[],
  { paths, file, directory }: { paths: readonly string[]; file: number; directory: string },
): Promise<string | undefined> {
  // Any other job in chunks ends with the command that joins them.
  const last = recorded.at(-1) ?? [];
  // The times of the fragments of a stream are in its plan, and not in its log.
  const hasFragments = last.some((argument) => argument.includes('frag_keyframe'));
  const isAssembled = encodedPattern.test(last.at(-1) ?? '') && !hasFragments;
  const chunks = isAssembled ? chunksOf(recorded, paths, file) : [];
  if (chunks.length === 0) return undefined;
  const files = await Promise.all(chunks.map(async ({ path }) => ({ path, movie: await readFile(path) })));
  const movies = files.map(({ movie }) => movie);
  requireAll(chunks, movies);
  const assembled = assembleMovie(timesOf(chunks, movies), movies);
  if ('defect' in assembled) throw new Error(assembled.defect);
  const made = join(directory, `assembled-${file}`);
  const media = await Promise.all(files.map(({ path, movie: { data } }) => readRange(path, data)));
  await writeFile(made, Buffer.concat([assembled.header, ...media]));
  return made;
}

/** In the order of the commands: each chunk has a directory of its own, and the directories are numbered in it. */
function chunksOf(
  recorded: readonly (readonly string[])[],
  paths: readonly string[],
  file: number,
): MadeChunk[] {
  const name = `/chunk/encoded-${file}`;
  const numberOf = (path: string) => Number(/(\d+)\/chunk\/encoded-\d+$/.exec(path)?.[1]);
  const made = paths.filter((path) => path.endsWith(name)).toSorted((a, b) => numberOf(a) - numberOf(b));
  const starts = recorded
    .filter((args) => args.some((argument) => argument.endsWith(name)))
    .map((args) => Math.abs(Number(args[args.indexOf('-output_ts_offset') + 1])));
  return made.flatMap((path, chunk) => {
    const startSeconds = starts[chunk];
    return startSeconds === undefined ? [] : [{ path, startSeconds }];
  });
}

/** @throws Error if the log lacks the commands of some chunks */
function requireAll(chunks: readonly MadeChunk[], movies: readonly Movie[]): void {
  for (const [chunk, { startSeconds }] of chunks.slice(1).entries()) {
    const [video] = movies[chunk]?.tracks ?? [];
    const end = (chunks[chunk]?.startSeconds ?? 0) + (video ? video.durationTicks / video.timescale : 0);
    if (Math.abs(startSeconds - end) < 1) continue;
    throw missingCommandError(`chunk ${chunk + 2}`);
  }
}

/** The plan of the chunks, as far as the index depends on it. */
function timesOf(
  chunks: readonly MadeChunk[],
  movies: readonly Movie[],
): Parameters<typeof assembleMovie>[0] {
  const [first] = chunks;
  const startSeconds = first?.startSeconds ?? 0;
  const [, ...audio] = movies[0]?.tracks ?? [];
  const tracks = audio.map(({ samples, timescale, mediaTime, emptyTicks }) => ({
    sampleRateHz: timescale,
    firstPacket: 0,
    delaySamples: 0,
    source: {},
    packetSamples: samples.dts[1] ?? samples.lastTicks,
    startSample: Math.round(startSeconds * timescale) + emptyTicks - mediaTime,
  }));
  return {
    chunks: chunks.map((chunk) => ({ ...chunk, frames: 0, durationSeconds: 0, costShare: 0 })),
    frameTimes: {
      timeBase: { numerator: 1, denominator: 1e6 },
      firstPts: Math.round(startSeconds * 1e6),
      deltas: [],
    },
    ...(tracks.length > 0 && { audioChunks: chunks.map(() => ({ durationSeconds: 0, tracks })) }),
  };
}

async function readFile(path: string): Promise<Movie> {
  await using file = await openFile(path);
  const movie = await readMovie(file.readAt, file.sizeBytes);
  if (movie === undefined) throw new Error(`${path} has an index that cannot be joined`);
  return movie;
}

async function readRange(path: string, { start, end }: Movie['data']): Promise<Uint8Array> {
  await using file = await openFile(path);
  return await file.readAt(start, end - start);
}
