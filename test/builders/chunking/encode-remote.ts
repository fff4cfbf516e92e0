import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { expect } from 'vitest';
import { sourceName } from '../../../core/jobs/stored-file.ts';
import { joinChunks } from '../../../functions/join-chunks/join.ts';
import { aRangeProxyToFiles } from '../storage/a-range-proxy.ts';
import { aChunkRunner, type BothWays, encodeTasks } from './encode-both-ways.ts';

/** Paths of encoded chunks and of finished files. */
export type RemoteFiles = { encoded: string[]; joined: string[] };

/** Encodes and joins the same chunks, with the source and the encoded chunks in a bucket, read through proxies. */
export async function encodeRemote({ work, inputs, threads }: BothWays): Promise<RemoteFiles> {
  const directory = await aTemporaryFolder();
  const { sources, overlay } = inputs;
  const named = Object.fromEntries(sources.map((path, number) => [sourceName(number), path]));
  const inputProxy = await aRangeProxyToFiles({ ...named, ...(overlay !== undefined && { overlay }) });
  const tasks = await encodeTasks(aChunkRunner(directory, { proxy: inputProxy }), work, {
    sources: sources.map((_, number) => inputProxy.urlOf(sourceName(number))),
    overlay: overlay && inputProxy.urlOf('overlay'),
    isRemote: true,
    threads,
    directory,
  });

  const encoded = tasks.flatMap(({ paths }, task) => paths.map((path, file) => [`${task}-${file}`, path] as const));
  const chunkProxy = await aRangeProxyToFiles(Object.fromEntries(encoded));
  await joinChunks(aChunkRunner(directory, { proxy: chunkProxy }), {
    work,
    results: tasks.map(({ result }) => result),
    files: { taskFile: (task, file) => chunkProxy.urlOf(`${task}-${file}`), isRemote: true, directory },
  });
  return {
    encoded: encoded.map(([, path]) => path),
    joined: work.outputs.map(({ filename }) => join(directory, filename)),
  };
}

/** All encoded chunks and finished files are byte for byte those of a source on this disk. */
export async function expectSameBytes({ tasks, files }: BothWays, remote: RemoteFiles): Promise<void> {
  const local = [...tasks.flatMap(({ paths }) => paths), ...files.map(({ chunked }) => chunked)];
  const others = [...remote.encoded, ...remote.joined];
  expect(local.length).toBeGreaterThan(2);
  expect(others).toHaveLength(local.length);
  for (const [index, path] of local.entries()) {
    expect((await readFile(others[index] ?? '')).equals(await readFile(path)), path).toBe(true);
  }
}
