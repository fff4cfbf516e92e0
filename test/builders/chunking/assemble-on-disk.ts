import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkedWork, JoinedVideo } from '@media-jobs/video/chunking';
import { assembleMovie, doesKeepLastFrame } from '@media-jobs/video/chunking';
import { type Movie, readMovie, readMp4AudioTrack } from '@media-jobs/video/media';
import { openFile } from '@media-jobs/video/runner';
import type { ChunkRunner } from '../../../core/chunked/chunk-runner.ts';
import type { EncodedTask } from '../../../functions/encode-chunk/encode-task.ts';
import { audioOf } from '../../../functions/join-chunks/assemble.ts';
import { verifyJoin } from '../../../functions/join-chunks/join.ts';

type Encoded = { work: ChunkedWork; tasks: readonly EncodedTask[]; directory: string };

/** Assembles files as the bucket does objects. They are read whole to verify them, and not by their indexes. */
export async function assembleOnDisk(runner: ChunkRunner, { work, tasks, directory }: Encoded): Promise<void> {
  const movies: Movie[][] = [];
  for (const { paths } of tasks) movies.push(await Promise.all(paths.map(readMovieFile)));
  const videos = assembledVideos(work, directory);
  for (const [rendition, { path }] of videos.entries()) {
    const assembled = assembleMovie(
      { ...work, keepsLastFrame: doesKeepLastFrame(work) },
      movies.flatMap((each) => each[rendition] ?? []),
    );
    if ('defect' in assembled) throw new Error(assembled.defect);
    const media = assembled.data.map(async ({ start, end }, chunk) =>
      (await readFile(tasks[chunk]?.paths[rendition] ?? '')).subarray(start, end),
    );
    await writeFile(path, Buffer.concat([assembled.header, ...(await Promise.all(media))]));
  }
  const results = tasks.map(({ result }) => result);
  // A parser makes a shorter last packet of E-AC-3 whole: the index has its duration.
  const reader = { readFrameIndex: runner.readFrameIndex, readAudioRange: readIndexedAudio };
  await verifyJoin(reader, { work, results, audio: audioOf(work, movies), videos });
}

/** The audio is the second track. */
async function readIndexedAudio(path: string) {
  await using file = await openFile(path);
  const range = await readMp4AudioTrack(file.readAt, { sizeBytes: file.sizeBytes, trackId: 2 });
  if (range === undefined) throw new Error(`${path} has no index of its audio`);
  return range;
}

/** Where the assembled files are. */
export function assembledVideos({ outputs, audioChunks }: ChunkedWork, directory: string): JoinedVideo[] {
  return outputs.map(({ name, filename }) => {
    const path = join(directory, filename);
    return { name, path, audioPath: audioChunks && path };
  });
}

/** The index of a file of this disk. */
async function readMovieFile(path: string): Promise<Movie> {
  await using file = await openFile(path);
  const movie = await readMovie(file.readAt, file.sizeBytes);
  if (movie === undefined) throw new Error(`${path} cannot be joined`);
  return movie;
}
