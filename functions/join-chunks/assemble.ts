import {
  type AudioMeasurements,
  assembleMovie,
  audioInChunk,
  type ChunkedWork,
  doesKeepLastFrame,
} from '@media-jobs/video/chunking';
import type { PlannedOutput } from '@media-jobs/video/encoding';
import { formats, type Movie, readMovie, verifyOutput } from '@media-jobs/video/media';
import { mapConcurrent } from '../../core/async.ts';
import type { Watch } from '../../core/chunked/watch-job.ts';
import type { RangeProxy } from '../../core/jobs/chunked-ports.ts';
import { fileKey } from '../../core/jobs/stored-file.ts';
import { type AssembledRange, assemblyParts, sizeOf } from '../../core/storage/assembly.ts';
import type { MeasuredOutput } from '../../core/worker/package-stream.ts';
import type { ChunkPorts } from '../../core/worker/ports.ts';
import { remainingSeconds } from '../../core/worker/worker-context.ts';
import type { EncodedChunk, EncodedFile } from './chunk-results.ts';
import { JoinMismatchError, verifyJoin } from './join.ts';

type Context = { watch: { job: Watch['job']; report: Watch['report'] }; signal: AbortSignal; deadline: Date };

type Encoded = { work: ChunkedWork; encoded: readonly EncodedChunk[]; prefix: string };

/** Each takes two small requests. */
const maxConcurrentReads = 32;

/**
 * Assembles the outputs in the bucket, under keys with a prefix: writes their indexes, lets S3 copy the media of the chunks
 * behind them, and verifies the finished objects. Nothing of them is on this disk.
 *
 * @throws JoinMismatchError if an output differs from that of a single pass
 */
export async function assembleOutputs(
  deps: ChunkPorts,
  { work, encoded, prefix }: Encoded,
  context: Context,
): Promise<MeasuredOutput[]> {
  const { watch, signal } = context;
  const { job } = watch;
  const movies = await readMovies(deps, encoded, context);
  const objects: Record<string, EncodedFile> = {};
  for (const [rendition, output] of work.outputs.entries()) {
    const { filename, format } = output;
    const { mimeType } = formats[format];
    const ranges = rangesOf({ work, encoded }, movies, rendition);
    const [key, sizeBytes] = [fileKey(prefix, output), sizeOf(ranges)];
    const onProgress = (bytes: number) => watch.report((100 * (rendition + bytes / sizeBytes)) / work.outputs.length);
    const file = { key, mimeType, parts: assemblyParts(ranges), signal, onProgress };
    objects[filename] = { key, sizeBytes, ...(await deps.files.assemble(file)) };
  }
  await using proxy = await deps.openRangeProxy(objects, { job, signal });
  const measured = await verifyObjects(deps, { work, encoded, movies, objects, proxy }, context);
  if (proxy.failure() !== undefined) throw proxy.failure();
  return measured;
}

/** The indexes of the files of the chunks, by chunk and rendition. */
async function readMovies(
  deps: ChunkPorts,
  encoded: readonly EncodedChunk[],
  { watch: { job }, signal }: Context,
): Promise<Movie[][]> {
  const files = encoded.flatMap(({ files }, chunk) => files.map((file, rendition) => ({ ...file, chunk, rendition })));
  await using proxy = await deps.openRangeProxy(Object.fromEntries(files.map((file) => [file.key, file])), {
    job,
    signal,
  });
  const movies: Movie[][] = encoded.map(() => []);
  await mapConcurrent(files, maxConcurrentReads, async ({ key, sizeBytes, chunk, rendition }) => {
    const movie = await readMovie((offset, length) => proxy.readAt(key, offset, length), sizeBytes);
    if (movie === undefined) throw new JoinMismatchError(`Chunk ${chunk + 1} has an index that cannot be joined`);
    const ofChunk = movies[chunk];
    if (ofChunk) ofChunk[rendition] = movie;
  });
  if (proxy.failure() !== undefined) throw proxy.failure();
  return movies;
}

function rangesOf(
  { work, encoded }: Omit<Encoded, 'prefix'>,
  movies: readonly Movie[][],
  rendition: number,
): AssembledRange[] {
  const ofRendition = movies.flatMap((each) => each[rendition] ?? []);
  const assembled = assembleMovie({ ...work, keepsLastFrame: doesKeepLastFrame(work) }, ofRendition);
  if ('defect' in assembled) throw new JoinMismatchError(assembled.defect);
  const media = assembled.data.flatMap(({ start, end }, chunk) => {
    const file = encoded[chunk]?.files[rendition];
    return file ? [{ key: file.key, etag: file.etag, start, end }] : [];
  });
  return [{ bytes: assembled.header }, ...media];
}

type AssembledObjects = Omit<Encoded, 'prefix'> & {
  movies: readonly Movie[][];
  objects: Readonly<Record<string, EncodedFile>>;
  proxy: RangeProxy;
};

/** Reads the finished objects by their own indexes, and compares them with the plan and with the chunks. */
async function verifyObjects(
  { media, packets, clock }: ChunkPorts,
  { work, encoded, movies, objects, proxy }: AssembledObjects,
  { deadline }: Context,
): Promise<MeasuredOutput[]> {
  const { signal } = proxy;
  const remoteOf = (filename: string) => ({
    readAt: (offset: number, length: number) => proxy.readAt(filename, offset, length),
    sizeBytes: objects[filename]?.sizeBytes ?? 0,
  });
  const optionsFor = (filename: string) => ({
    signal,
    remote: remoteOf(filename),
    role: 'output' as const,
    timeLimitSeconds: remainingSeconds(clock, deadline),
  });
  await verifyJoin(
    {
      readFrameIndex: (filename) =>
        packets.readFrameIndex(proxy.urlOf(filename), { stream: 0, fileSeconds: 0 }, optionsFor(filename)),
      readAudioRange: (filename) => packets.readAudioRange(proxy.urlOf(filename), optionsFor(filename)),
    },
    {
      work,
      results: encoded.map(({ result }) => result),
      audio: audioOf(work, movies),
      videos: work.outputs.map(({ name, filename }) => ({
        name,
        path: filename,
        audioPath: work.audioChunks === undefined ? undefined : filename,
      })),
    },
  );
  return mapConcurrent(work.outputs, maxConcurrentReads, async (planned: PlannedOutput) => {
    const { filename, expectation } = planned;
    const { sizeBytes } = remoteOf(filename);
    const probe = await media.probe(proxy.urlOf(filename), optionsFor(filename));
    if (expectation !== undefined) verifyOutput(probe, expectation);
    return { planned, path: filename, sizeBytes, probe };
  });
}

/** Of each chunk of the audio, its tracks. All renditions have the same. */
export function audioOf(
  { chunks, audioChunks = [] }: ChunkedWork,
  movies: readonly Movie[][],
): AudioMeasurements['encoded'] {
  return audioChunks.map(({ tracks }, number) => {
    const [, ...audio] = movies[number]?.[0]?.tracks ?? [];
    const chunk = chunks[number];
    return audio.flatMap((movieTrack, index) => {
      const track = tracks[index];
      return track && chunk ? [audioInChunk(movieTrack, { chunk, track })] : [];
    });
  });
}
