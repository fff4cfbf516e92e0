import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChunkedWork, JoinFiles } from '@media-jobs/video/chunking';
import { chunkedRenditions } from '@media-jobs/video/chunking';
import type { ChunkRunner } from '../../../core/chunked/chunk-runner.ts';
import type { EncodedTask } from '../../../functions/encode-chunk/encode-task.ts';
import { joinRenditions, tableReader } from '../../../functions/join-chunks/assemble-stream.ts';
import { joinChunks } from '../../../functions/join-chunks/join.ts';

type Encoded = { work: ChunkedWork; tasks: readonly EncodedTask[]; files: JoinFiles };

/** Assembles the renditions of a stream as the bucket does objects, and joins its audio. */
export async function assembleStreamOnDisk(runner: ChunkRunner, { work, tasks, files }: Encoded): Promise<void> {
  const results = tasks.map(({ result }) => result);
  const renditions = joinRenditions(work, results);
  await joinChunks({ ...runner, ...tableReader(renditions) }, { work, results, files });
  for (const [number, { output, joined }] of renditions.entries()) {
    const { chunks = [] } = chunkedRenditions(work)[number] ?? {};
    const read = chunks.map(async ({ task, file }) => ({
      bytes: await readFile(tasks[task]?.paths[file] ?? ''),
      mediaOffset: tasks[task]?.result.renditions?.[file]?.fragmentTable?.mediaOffset,
    }));
    const encoded = await Promise.all(read);
    const init = encoded[0]?.bytes.subarray(0, joined.file.initBytes) ?? new Uint8Array();
    const media = encoded.map(({ bytes, mediaOffset }) => bytes.subarray(mediaOffset));
    await writeFile(join(files.directory, output.filename), Buffer.concat([init, joined.index, ...media]));
  }
}
