import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { encodeInChunks } from '../../core/chunks/chunked-encoding.ts';
import { joinCommand } from '../../core/chunks/join-command.ts';
import type { Command } from '../../core/media/command.ts';
import type { VideoFormat } from '../../core/media/formats.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import { aDoorTo } from './a-door.ts';
import { aDirectory, anEncoder } from './encode.ts';
import type { BothWays } from './encode-chunked.ts';

/** Where files lie that were made of what lies in a bucket. */
export type StoredWay = { chunks: string[]; sound?: string; joined: string };

/** Encodes the same chunks from the same source in a bucket, and joins them from a bucket, read through doors. */
export async function encodeStored({ source, encoding, decision, index }: BothWays): Promise<StoredWay> {
  const directory = await aDirectory();
  const run = async (command: Command, signal: AbortSignal) =>
    anEncoder().run(command, { directory, signal, timeLimitSeconds: 120, stallSeconds: 60 });
  const { overlay } = encoding;
  const door = await aDoorTo({ source: source.inputPath, ...(overlay && { overlay: overlay.path }) });
  const joined = join(directory, `joined.${source.format}`);
  const parts = encodeInChunks(
    { ...source, inputPath: door.urlOf('source'), isStored: true },
    {
      encoding: { ...encoding, ...(overlay && { overlay: { ...overlay, path: door.urlOf('overlay') } }) },
      chunks: decision.chunks ?? [],
      beginning: index.beginning,
    },
    { pathOf: (name) => join(directory, name), finishedPath: joined },
  );
  for (const { command } of parts.chunks) await run(command, door.signal);
  if (parts.sound) await run(parts.sound.command, door.signal);

  const paths = [...parts.chunks, ...(parts.sound ? [parts.sound] : [])].map(({ path }) => path);
  const behind = await aDoorTo(Object.fromEntries(paths.map((path, part) => [`${part}`, path])));
  const audio = keptSound(source.probe, encoding);
  const command = joinCommand({
    ...{ format: source.format as VideoFormat, codec: encoding.codec, path: joined, areStored: true },
    chunks: parts.chunks.map(({ chunk }, part) => ({ chunk, path: behind.urlOf(`${part}`) })),
    ...(audio && { sound: { audio, path: behind.urlOf(`${parts.chunks.length}`) } }),
  });
  await run(command, behind.signal);
  return {
    chunks: parts.chunks.map(({ path }) => path),
    joined,
    ...(parts.sound && { sound: parts.sound.path }),
  };
}

/** Every file is, byte by byte, that which was made of files of this disk. */
export async function expectSameBytes({ parts, chunked }: BothWays, stored: StoredWay): Promise<void> {
  const pairs = [
    ...parts.chunks.map(({ path }, index) => [path, stored.chunks[index]]),
    ...(parts.sound ? [[parts.sound.path, stored.sound]] : []),
    [chunked, stored.joined],
  ];
  expect(pairs.length).toBeGreaterThan(2);
  for (const [local = '', other = ''] of pairs) {
    expect((await readFile(other)).equals(await readFile(local)), local).toBe(true);
  }
}
