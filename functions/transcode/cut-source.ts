import { beginningOf } from '../../core/chunks/beginning.ts';
import type { PictureIndex } from '../../core/chunks/picture-index.ts';
import { type Decision, onePieceAnyway, planChunks, type Wish } from '../../core/chunks/plan-chunks.ts';
import type { PacketReader } from '../../core/chunks/ports.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import { endOf, requireMovingPicture } from '../../core/media/streams.ts';
import type { Encoding } from '../../core/recipes/encoding.ts';
import type { MediaFile } from '../../core/recipes/recipe.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import type { WorkContext } from './work.ts';

export type CutPorts = {
  packets: Pick<PacketReader, 'pictures'>;
  /** How this stage cuts videos. */
  chunking: Omit<Wish, 'speed'>;
  clock: Clock;
};

/** Where a source is cut, with the index by which it is; or why it is not. */
export type Cut =
  | { reason: string; chunks?: never }
  | (Extract<Decision, { chunks: object }> & { index: PictureIndex });

/** Decides where a source is cut. Its packets are read only where a look at what was measured leaves it open. */
export async function cutSource(
  { packets, chunking, clock }: CutPorts,
  { job, signal, deadline }: Pick<WorkContext, 'job' | 'signal' | 'deadline'>,
  { path, probe, encoding }: MediaFile & { encoding: Encoding },
): Promise<Cut> {
  const video = requireMovingPicture(probe);
  const audio = keptSound(probe, encoding);
  const wish = { ...chunking, speed: job.request.speed ?? 'standard' };
  const seconds = endOf(probe, [video]);
  if (seconds !== undefined) {
    // Nothing is known to be quick of which nothing is known.
    const pictures = seconds * (video.framesPerSecond ?? Number.POSITIVE_INFINITY);
    const reason = onePieceAnyway(encoding, { seconds, pictures }, wish);
    if (reason !== undefined) return { reason };
  }
  const fileSeconds = beginningOf(probe.container, audio ? [video, audio] : [video]);
  const timeLimitSeconds = (deadline.getTime() - clock.now().getTime()) / 1000;
  const from = { stream: video.index, fileSeconds };
  const index = await packets.pictures(path, from, { signal, timeLimitSeconds });
  const decision = planChunks({ probe, video, index }, encoding, wish);
  return decision.chunks === undefined ? { reason: decision.reason } : { ...decision, index };
}
