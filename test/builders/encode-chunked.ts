import { join } from 'node:path';
import type * as z from 'zod';
import { packetReader } from '../../adapters/ffmpeg/packet-reader.ts';
import { beginningOf } from '../../core/chunks/beginning.ts';
import type { Share } from '../../core/chunks/chunk-command.ts';
import type { ChunkSource } from '../../core/chunks/chunk-source.ts';
import { type ChunkedEncoding, encodeInChunks } from '../../core/chunks/chunked-encoding.ts';
import type { PictureIndex } from '../../core/chunks/picture-index.ts';
import { type Decision, planChunks } from '../../core/chunks/plan-chunks.ts';
import { type ChunkSettings, chunkSettingsSchema } from '../../core/chunks/settings.ts';
import { type JoinedWork, measuredChunk } from '../../core/chunks/verify-join.ts';
import type { Command } from '../../core/media/command.ts';
import type { Format } from '../../core/media/formats.ts';
import type { Probe } from '../../core/media/probe.ts';
import { requireMovingPicture } from '../../core/media/streams.ts';
import { carryOut } from '../../core/recipes/carry-out.ts';
import { type Encoding, segmentSecondsOf } from '../../core/recipes/encoding.ts';
import type { MediaFile, PlannedOutput } from '../../core/recipes/recipe.ts';
import { planRecipe, recipeRequestSchema } from '../../core/recipes/registry.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import { findFonts } from '../../local/fonts.ts';
import { programs } from './bare-ffmpeg.ts';
import { aDirectory, anEncoder } from './encode.ts';

const reader = packetReader(programs);
const patiently = { signal: new AbortController().signal, timeLimitSeconds: 120 };

export type BothWays = {
  decision: Decision;
  /** The source's pictures. */
  index: PictureIndex;
  /** Paths of all finished files. */
  files: { output: PlannedOutput; single: string; chunked: string }[];
  /** Those of the first. */
  single: string;
  chunked: string;
  parts: ChunkedEncoding;
  /** What they were made of, and how. */
  source: ChunkSource;
  encoding: Encoding;
  share: Share;
};

type Differences = Partial<ChunkSettings> & {
  share?: Share;
  /** Paths of the files that parameters name. */
  assets?: Record<string, { path: string; of: 'input' | 'subtitles' }>;
};

/** Encodes a file as the recipe does and in chunks, with the real programs; throws where it is not to be cut. */
export async function encodeBothWays(
  path: string,
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
  { assets: named = {}, share = {}, ...settings }: Differences = {},
): Promise<BothWays> {
  const encoder = anEncoder();
  const directory = await aDirectory();
  const probe = await encoder.probe(path);
  const assets: Record<string, MediaFile> = {};
  for (const [name, file] of Object.entries(named)) {
    assets[name] = { path: file.path, probe: await encoder.probe(file.path, { of: file.of }) };
  }
  const place = {
    probe,
    format,
    inputPath: path,
    inputs: [{ path, probe }],
    assets,
    parameters: {},
    outputDirectory: directory,
    filters: await encoder.filters(),
    fontsDirectory: findFonts(),
  };
  const run = (command: Command) =>
    encoder.run(command, { directory, signal: patiently.signal, timeLimitSeconds: 120, stallSeconds: 60 });
  const plan = await carryOut(planRecipe(recipeRequestSchema.parse(recipe), place), run);
  const { encoding, outputs } = plan;
  if (encoding === undefined) throw new Error(`${recipe.name} cannot be done in chunks`);
  const { decision, index } = await decide(path, { probe, encoding, settings });
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const joined = await aDirectory();
  const parts = encodeInChunks(
    place,
    { encoding, outputs, chunks: decision.chunks, beginning: index.beginning, ...share },
    { pathOf: (name) => join(joined, name), directory: joined },
  );
  for (const { command } of parts.chunks) await run(command);
  if (parts.sound) await run(parts.sound.command);
  for (const command of parts.joins.commands) await run(command);
  const files = outputs.map((output) => ({
    output,
    single: join(directory, output.filename),
    chunked: join(joined, output.filename),
  }));
  const [{ single, chunked } = { single: '', chunked: '' }] = files;
  return { decision, index, files, single, chunked, parts, source: place, encoding, share };
}

type Given = { probe: Probe; encoding: Encoding; settings: Partial<ChunkSettings> };

async function decide(path: string, { probe, encoding, settings: differences }: Given) {
  const video = requireMovingPicture(probe);
  const audio = keptSound(probe, encoding);
  const fileSeconds = beginningOf(probe.container, audio ? [video, audio] : [video]);
  const index = await reader.pictures(path, { stream: video.index, fileSeconds }, patiently);
  const settings = chunkSettingsSchema.parse({ targetChunkSeconds: 3, ...differences });
  const decision = planChunks({ probe, video, index }, encoding, { settings, speed: 'fast', processors: 1 });
  return { decision, index };
}

/** What the join of a size is judged by, measured of the finished files. */
export async function joinedWork({ parts, index, encoding }: BothWays, size = 0): Promise<JoinedWork> {
  const { chunks, sound, joins } = parts;
  const measured = await Promise.all(
    chunks.map(async ({ chunk, paths }) => ({
      chunk,
      found: measuredChunk(await readPictures(paths[size] ?? '')),
    })),
  );
  const { path = '', soundPath } = joins.pictures[size] ?? {};
  return {
    chunks: measured,
    source: index,
    segmentSeconds: segmentSecondsOf(encoding),
    joined: await readPictures(path),
    ...(sound && soundPath
      ? { sound: { encoded: await readSound(sound.path), joined: await readSound(soundPath) } }
      : {}),
  };
}

/** The pictures of a finished file. */
export function readPictures(path: string): Promise<PictureIndex> {
  return reader.pictures(path, { stream: 0, fileSeconds: 0 }, { ...patiently, of: 'output' });
}

function readSound(path: string) {
  return reader.sound(path, { ...patiently, of: 'output' });
}
