import { join } from 'node:path';
import type * as z from 'zod';
import { packetReader } from '../../../adapters/ffmpeg/packet-reader.ts';
import type { ChunkEncoderOptions } from '../../../core/chunking/commands/chunk-command.ts';
import type { ChunkSource } from '../../../core/chunking/commands/chunk-source.ts';
import { type ChunkedCommands, chunkedCommands } from '../../../core/chunking/commands/chunked-commands.ts';
import type { FrameIndex } from '../../../core/chunking/frame-index/frame-index.ts';
import { timelineOriginSeconds } from '../../../core/chunking/frame-index/timeline-origin.ts';
import { type ChunkingDecision, planChunks } from '../../../core/chunking/plan/plan-chunks.ts';
import { type ChunkSettings, chunkSettingsSchema } from '../../../core/chunking/settings.ts';
import { type JoinMeasurements, measureChunk } from '../../../core/chunking/verify/verify-join.ts';
import { selectAudio } from '../../../core/encoding/audio/encode-audio.ts';
import { type Encoding, segmentSecondsOf } from '../../../core/encoding/encoding.ts';
import { executePlan } from '../../../core/encoding/execute-plan.ts';
import type { MediaFile, PlannedOutput } from '../../../core/encoding/plan.ts';
import type { Command } from '../../../core/media/ffmpeg/command.ts';
import type { Format } from '../../../core/media/formats.ts';
import type { Probe } from '../../../core/media/probe/probe.ts';
import { requireVideo } from '../../../core/media/probe/streams.ts';
import { planRecipe, recipeRequestSchema } from '../../../core/recipes/registry.ts';
import { findFonts } from '../../../local/fonts.ts';
import { ffmpegPrograms } from '../media/bare-ffmpeg.ts';
import { anEncoder, aTemporaryDirectory } from '../recipes/encode.ts';

const reader = packetReader(ffmpegPrograms);
const patiently = { signal: new AbortController().signal, timeLimitSeconds: 120 };

export type BothWays = {
  decision: ChunkingDecision;
  /** The source's pictures. */
  index: FrameIndex;
  /** Paths of all finished files. */
  files: { output: PlannedOutput; single: string; chunked: string }[];
  /** Those of the first. */
  single: string;
  chunked: string;
  commands: ChunkedCommands;
  /** What they were made of, and how. */
  source: ChunkSource;
  encoding: Encoding;
  share: ChunkEncoderOptions;
};

type Differences = Partial<ChunkSettings> & {
  share?: ChunkEncoderOptions;
  /** Paths of the files that parameters name. */
  assets?: Record<string, { path: string; role: 'input' | 'subtitles' }>;
};

/** Encodes a file as the recipe does and in chunks, with the real programs; throws where it is not to be cut. */
export async function encodeBothWays(
  path: string,
  format: Format,
  recipe: z.input<typeof recipeRequestSchema>,
  { assets: named = {}, share = {}, ...settings }: Differences = {},
): Promise<BothWays> {
  const encoder = anEncoder();
  const directory = await aTemporaryDirectory();
  const probe = await encoder.probe(path);
  const assets: Record<string, MediaFile> = {};
  for (const [name, file] of Object.entries(named)) {
    assets[name] = { path: file.path, probe: await encoder.probe(file.path, { role: file.role }) };
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
  const plan = await executePlan(planRecipe(recipeRequestSchema.parse(recipe), place), run);
  const { encoding, outputs } = plan;
  if (encoding === undefined) throw new Error(`${recipe.name} cannot be done in chunks`);
  const { decision, index } = await decide(path, { probe, encoding, settings });
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const joined = await aTemporaryDirectory();
  const commands = chunkedCommands(
    place,
    { encoding, outputs, chunks: decision.chunks, timelineOrigin: index.timelineOrigin, ...share },
    { pathOf: (name) => join(joined, name), directory: joined },
  );
  for (const { command } of commands.chunks) await run(command);
  if (commands.audio) await run(commands.audio.command);
  for (const command of commands.join.commands) await run(command);
  const files = outputs.map((output) => ({
    output,
    single: join(directory, output.filename),
    chunked: join(joined, output.filename),
  }));
  const [{ single, chunked } = { single: '', chunked: '' }] = files;
  return { decision, index, files, single, chunked, commands, source: place, encoding, share };
}

type Given = { probe: Probe; encoding: Encoding; settings: Partial<ChunkSettings> };

async function decide(path: string, { probe, encoding, settings: differences }: Given) {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const fileSeconds = timelineOriginSeconds(probe.container, audio ? [video, audio] : [video]);
  const index = await reader.readFrameIndex(path, { stream: video.index, fileSeconds }, patiently);
  const settings = chunkSettingsSchema.parse({ targetChunkSeconds: 3, ...differences });
  const decision = planChunks({ probe, video, index }, encoding, { settings, speed: 'fast', cpuCount: 1 });
  return { decision, index };
}

/** What the join of a size is judged by, measured of the finished files. */
export async function joinMeasurements(
  { commands, index, encoding }: BothWays,
  size = 0,
): Promise<JoinMeasurements> {
  const { chunks, audio, join } = commands;
  const measured = await Promise.all(
    chunks.map(async ({ chunk, paths }) => ({
      chunk,
      found: measureChunk(await readFrameIndex(paths[size] ?? '')),
    })),
  );
  const { path = '', audioPath } = join.videos[size] ?? {};
  return {
    chunks: measured,
    source: index,
    segmentSeconds: segmentSecondsOf(encoding),
    joined: await readFrameIndex(path),
    ...(audio && audioPath
      ? { audio: { encoded: await readSound(audio.path), joined: await readSound(audioPath) } }
      : {}),
  };
}

/** The pictures of a finished file. */
export function readFrameIndex(path: string): Promise<FrameIndex> {
  return reader.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, { ...patiently, role: 'output' });
}

function readSound(path: string) {
  return reader.readAudioRange(path, { ...patiently, role: 'output' });
}
