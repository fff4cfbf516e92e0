import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { chunkFormat } from '../../../core/chunking/commands/chunk-source.ts';
import { type ChunkedCommands, chunkedCommands } from '../../../core/chunking/commands/chunked-commands.ts';
import { joinCommands } from '../../../core/chunking/commands/join-commands.ts';
import type { S3RangeProxy } from '../../../core/chunking/ports.ts';
import { selectAudio } from '../../../core/encoding/audio/encode-audio.ts';
import { overlayOf, withOverlayPath } from '../../../core/encoding/encoding.ts';
import type { Command } from '../../../core/media/ffmpeg/command.ts';
import { anEncoder, aTemporaryDirectory } from '../recipes/encode.ts';
import { anS3RangeProxyToFiles } from '../storage/an-s3-range-proxy.ts';
import type { BothWays } from './encode-both-ways.ts';

/** Where files lie that were made of what lies in a bucket: parts and finished ones. */
export type RemoteFiles = { parts: string[]; joined: string[] };

/** Encodes the same chunks from the same source in a bucket, and joins them from a bucket, read through doors. */
export async function encodeRemote({
  source,
  encoding,
  decision,
  index,
  files,
  share,
}: BothWays): Promise<RemoteFiles> {
  const directory = await aTemporaryDirectory();
  const run = async (command: Command, { signal, failure }: S3RangeProxy) => {
    await anEncoder().run(command, { directory, signal, timeLimitSeconds: 120, stallSeconds: 60 });
    if (failure() !== undefined) throw failure();
  };
  const overlay = overlayOf(encoding);
  const door = await anS3RangeProxyToFiles({
    source: source.inputPath,
    ...(overlay && { overlay: overlay.path }),
  });
  const outputs = files.map(({ output }) => output);
  const chunks = decision.chunks ?? [];
  const parts = chunkedCommands(
    { ...source, inputPath: door.urlOf('source'), isRemote: true },
    {
      encoding: overlay ? withOverlayPath(door.urlOf('overlay'), encoding) : encoding,
      outputs,
      chunks,
      timelineOrigin: index.timelineOrigin,
      ...share,
    },
    { pathOf: (name) => join(directory, name), directory },
  );
  for (const { command } of parts.chunks) await run(command, door);
  if (parts.audio) await run(parts.audio.command, door);

  const named = parts.chunks.flatMap(({ paths }, chunk) =>
    paths.map((path, size) => [`${chunk}-${size}`, path]),
  );
  const sound = parts.audio ? [['audio', parts.audio.path]] : [];
  const behind = await anS3RangeProxyToFiles(Object.fromEntries([...named, ...sound]));
  const { commands } = joinCommands(
    { format: chunkFormat(source), encoding, chunks, outputs, audio: selectAudio(source.probe, encoding) },
    {
      chunkPath: (chunk, size) => behind.urlOf(`${chunk}-${size}`),
      audioPath: () => behind.urlOf('audio'),
      areRemote: true,
      directory,
    },
  );
  for (const command of commands) await run(command, behind);
  return {
    parts: partPaths(parts),
    joined: outputs.map(({ filename }) => join(directory, filename)),
  };
}

/** Every file is, byte by byte, that which was made of files of this disk. */
export async function expectSameBytes({ commands, files }: BothWays, stored: RemoteFiles): Promise<void> {
  const local = [...partPaths(commands), ...files.map(({ chunked }) => chunked)];
  const others = [...stored.parts, ...stored.joined];
  expect(local.length).toBeGreaterThan(2);
  expect(others).toHaveLength(local.length);
  for (const [index, path] of local.entries()) {
    expect((await readFile(others[index] ?? '')).equals(await readFile(path)), path).toBe(true);
  }
}

function partPaths({ chunks, audio }: ChunkedCommands): string[] {
  return [...chunks.flatMap(({ paths }) => paths), ...(audio ? [audio.path] : [])];
}
