import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { containerOf } from '../../core/chunks/chunk-source.ts';
import { type ChunkedEncoding, encodeInChunks } from '../../core/chunks/chunked-encoding.ts';
import { joinsOf } from '../../core/chunks/joins.ts';
import type { MediaDoor } from '../../core/chunks/ports.ts';
import type { Command } from '../../core/media/command.ts';
import { overlayOf, withOverlayAt } from '../../core/recipes/encoding.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import { aDoorTo } from './a-door.ts';
import { aDirectory, anEncoder } from './encode.ts';
import type { BothWays } from './encode-chunked.ts';

/** Where files lie that were made of what lies in a bucket: parts and finished ones. */
export type StoredWay = { parts: string[]; joined: string[] };

/** Encodes the same chunks from the same source in a bucket, and joins them from a bucket, read through doors. */
export async function encodeStored({
  source,
  encoding,
  decision,
  index,
  files,
  share,
}: BothWays): Promise<StoredWay> {
  const directory = await aDirectory();
  const run = async (command: Command, { signal, failure }: MediaDoor) => {
    await anEncoder().run(command, { directory, signal, timeLimitSeconds: 120, stallSeconds: 60 });
    if (failure() !== undefined) throw failure();
  };
  const overlay = overlayOf(encoding);
  const door = await aDoorTo({ source: source.inputPath, ...(overlay && { overlay: overlay.path }) });
  const outputs = files.map(({ output }) => output);
  const chunks = decision.chunks ?? [];
  const parts = encodeInChunks(
    { ...source, inputPath: door.urlOf('source'), isStored: true },
    {
      encoding: overlay ? withOverlayAt(door.urlOf('overlay'), encoding) : encoding,
      outputs,
      chunks,
      beginning: index.beginning,
      ...share,
    },
    { pathOf: (name) => join(directory, name), directory },
  );
  for (const { command } of parts.chunks) await run(command, door);
  if (parts.sound) await run(parts.sound.command, door);

  const named = parts.chunks.flatMap(({ paths }, chunk) =>
    paths.map((path, size) => [`${chunk}-${size}`, path]),
  );
  const sound = parts.sound ? [['sound', parts.sound.path]] : [];
  const behind = await aDoorTo(Object.fromEntries([...named, ...sound]));
  const { commands } = joinsOf(
    { format: containerOf(source), encoding, chunks, outputs, audio: keptSound(source.probe, encoding) },
    {
      chunkPath: (chunk, size) => behind.urlOf(`${chunk}-${size}`),
      soundPath: () => behind.urlOf('sound'),
      areStored: true,
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
export async function expectSameBytes({ parts, files }: BothWays, stored: StoredWay): Promise<void> {
  const local = [...partPaths(parts), ...files.map(({ chunked }) => chunked)];
  const others = [...stored.parts, ...stored.joined];
  expect(local.length).toBeGreaterThan(2);
  expect(others).toHaveLength(local.length);
  for (const [index, path] of local.entries()) {
    expect((await readFile(others[index] ?? '')).equals(await readFile(path)), path).toBe(true);
  }
}

function partPaths({ chunks, sound }: ChunkedEncoding): string[] {
  return [...chunks.flatMap(({ paths }) => paths), ...(sound ? [sound.path] : [])];
}
