import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ChunkedCommands, chunkedCommands } from '../../../core/chunking/commands/chunked-commands.ts';
import type { AudioRange } from '../../../core/chunking/frame-index/audio-range.ts';
import type { FrameIndex } from '../../../core/chunking/frame-index/frame-index.ts';
import { timelineOriginSeconds } from '../../../core/chunking/frame-index/timeline-origin.ts';
import { planChunks } from '../../../core/chunking/plan/plan-chunks.ts';
import { type ChunkSettings, chunkSettingsSchema } from '../../../core/chunking/settings.ts';
import {
  type ChunkMeasurement,
  findJoinDefect,
  measureChunk,
} from '../../../core/chunking/verify/verify-join.ts';
import { selectAudio } from '../../../core/encoding/audio/encode-audio.ts';
import { requireVideo } from '../../../core/media/probe/streams.ts';
import type { PlannedVideo } from './planned-video.ts';

type Part = ChunkedCommands['chunks'][number];

/** A film that has been cut: what is left to do, one after the other or side by side. */
export type ChunkedVideo = {
  chunks: readonly Part[];
  /** Encode a part, and measure its file, as the function does that has this part of a job. */
  encodeChunk(part: Part): Promise<void>;
  encodeAudio(): Promise<void>;
  join(): Promise<void>;
  /** Compares the joined file with what was planned. @throws Error that says what is wrong with it */
  check(): Promise<void>;
};

/** Reads the index of a film and cuts it, for encoders of so many threads. @throws Error where it is not to be cut */
export async function chunkVideo(
  film: PlannedVideo,
  { threads, ...settings }: Partial<ChunkSettings> & { threads: number },
): Promise<ChunkedVideo> {
  const { source, encoding, outputs, directory, packets, reading, run } = film;
  const index = await indexOf(film);
  const video = requireVideo(source.probe);
  const wish = { settings: chunkSettingsSchema.parse(settings), speed: 'fast', cpuCount: 1 } as const;
  const decision = planChunks({ probe: source.probe, video, index }, encoding, wish);
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const joined = join(directory, 'joined');
  await mkdir(joined, { recursive: true });
  const {
    chunks,
    audio,
    join: joins,
  } = chunkedCommands(
    source,
    { encoding, outputs, chunks: decision.chunks, timelineOrigin: index.timelineOrigin, threads },
    { pathOf: (name) => join(directory, name), directory: joined },
  );
  const found = new Map<Part, ChunkMeasurement[]>();
  let foundSound: AudioRange | undefined;
  const ofOurs = { ...reading, role: 'output' } as const;
  const picturesOf = (path: string) => packets.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, ofOurs);
  return {
    chunks,
    async encodeChunk(part) {
      await run(part.command);
      const sizes = await Promise.all(part.paths.map(picturesOf));
      found.set(part, sizes.map(measureChunk));
    },
    async encodeAudio() {
      if (audio === undefined) return;
      await run(audio.command);
      foundSound = await packets.readAudioRange(audio.path, ofOurs);
    },
    async join() {
      for (const command of joins.commands) await run(command);
    },
    async check() {
      const encoded = foundSound;
      for (const [size, { path, audioPath }] of joins.videos.entries()) {
        const flaw = findJoinDefect({
          chunks: chunks.map((part) => ({
            chunk: part.chunk,
            found: found.get(part)?.[size] ?? { frames: 0 },
          })),
          source: index,
          joined: await picturesOf(path),
          ...(encoded &&
            audioPath && { audio: { encoded, joined: await packets.readAudioRange(audioPath, ofOurs) } }),
        });
        if (flaw !== undefined) throw new Error(flaw);
      }
    },
  };
}

function indexOf({
  source: { probe, inputPath },
  encoding,
  packets,
  reading,
}: PlannedVideo): Promise<FrameIndex> {
  const video = requireVideo(probe);
  const audio = selectAudio(probe, encoding);
  const fileSeconds = timelineOriginSeconds(probe.container, audio ? [video, audio] : [video]);
  return packets.readFrameIndex(inputPath, { stream: video.index, fileSeconds }, reading);
}
