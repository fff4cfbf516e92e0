import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beginningOf } from '../../core/chunks/beginning.ts';
import { type ChunkedEncoding, encodeInChunks } from '../../core/chunks/chunked-encoding.ts';
import type { PictureIndex } from '../../core/chunks/picture-index.ts';
import { planChunks } from '../../core/chunks/plan-chunks.ts';
import { type ChunkSettings, chunkSettingsSchema } from '../../core/chunks/settings.ts';
import type { SoundSpan } from '../../core/chunks/sound-span.ts';
import { type FoundChunk, flawOfJoin, measuredChunk } from '../../core/chunks/verify-join.ts';
import { requireMovingPicture } from '../../core/media/streams.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import type { PlannedFilm } from './planned-film.ts';

type Part = ChunkedEncoding['chunks'][number];

/** A film that has been cut: what is left to do, one after the other or side by side. */
export type CutFilm = {
  chunks: readonly Part[];
  /** Encode a part, and measure its file, as the function does that has this part of a job. */
  encodeChunk(part: Part): Promise<void>;
  encodeSound(): Promise<void>;
  join(): Promise<void>;
  /** Compares the joined file with what was planned. @throws Error that says what is wrong with it */
  check(): Promise<void>;
};

/** Reads the index of a film and cuts it, for encoders of so many threads. @throws Error where it is not to be cut */
export async function cutFilm(
  film: PlannedFilm,
  { threads, ...settings }: Partial<ChunkSettings> & { threads: number },
): Promise<CutFilm> {
  const { source, encoding, outputs, directory, packets, reading, run } = film;
  const index = await indexOf(film);
  const video = requireMovingPicture(source.probe);
  const wish = { settings: chunkSettingsSchema.parse(settings), speed: 'fast', processors: 1 } as const;
  const decision = planChunks({ probe: source.probe, video, index }, encoding, wish);
  if (decision.chunks === undefined) throw new Error(decision.reason);
  const joined = join(directory, 'joined');
  await mkdir(joined, { recursive: true });
  const { chunks, sound, joins } = encodeInChunks(
    source,
    { encoding, outputs, chunks: decision.chunks, beginning: index.beginning, threads },
    { pathOf: (name) => join(directory, name), directory: joined },
  );
  const found = new Map<Part, FoundChunk[]>();
  let foundSound: SoundSpan | undefined;
  const ofOurs = { ...reading, of: 'output' } as const;
  const picturesOf = (path: string) => packets.pictures(path, { stream: 0, fileSeconds: 0 }, ofOurs);
  return {
    chunks,
    async encodeChunk(part) {
      await run(part.command);
      const sizes = await Promise.all(part.paths.map(picturesOf));
      found.set(part, sizes.map(measuredChunk));
    },
    async encodeSound() {
      if (sound === undefined) return;
      await run(sound.command);
      foundSound = await packets.sound(sound.path, ofOurs);
    },
    async join() {
      for (const command of joins.commands) await run(command);
    },
    async check() {
      const encoded = foundSound;
      for (const [size, { path, soundPath }] of joins.pictures.entries()) {
        const flaw = flawOfJoin({
          chunks: chunks.map((part) => ({
            chunk: part.chunk,
            found: found.get(part)?.[size] ?? { pictures: 0 },
          })),
          source: index,
          joined: await picturesOf(path),
          ...(encoded && soundPath && { sound: { encoded, joined: await packets.sound(soundPath, ofOurs) } }),
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
}: PlannedFilm): Promise<PictureIndex> {
  const video = requireMovingPicture(probe);
  const audio = keptSound(probe, encoding);
  const fileSeconds = beginningOf(probe.container, audio ? [video, audio] : [video]);
  return packets.pictures(inputPath, { stream: video.index, fileSeconds }, reading);
}
