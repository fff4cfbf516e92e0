import type { JoinedPicture } from '../../core/chunks/joins.ts';
import type { PartsWork } from '../../core/chunks/parts-plan.ts';
import type { PacketReader, ReadOptions } from '../../core/chunks/ports.ts';
import { restoreTimes } from '../../core/chunks/stored-times.ts';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import { segmentSecondsOf } from '../../core/recipes/encoding.ts';
import type { FoundPart } from './find-parts.ts';
import { JoinFlaw } from './join-flaw.ts';

type Joined = { work: PartsWork; parts: readonly FoundPart[]; pictures: readonly JoinedPicture[] };

/**
 * Compares joined files with what was planned.
 * @throws JoinFlaw where one is not what one pass would have made
 */
export async function judgeJoin(
  packets: PacketReader,
  { work, parts, pictures }: Joined,
  reading: ReadOptions,
): Promise<void> {
  const segmentSeconds = segmentSecondsOf(work.encoding);
  const encoded = parts[work.chunks.length]?.result.sound;
  const source = restoreTimes(work.times);
  for (const [size, { name, path, soundPath }] of pictures.entries()) {
    const flaw = flawOfJoin({
      chunks: work.chunks.map((chunk, index) => ({ chunk, found: foundOf(parts[index], size) })),
      source,
      segmentSeconds,
      joined: await packets.pictures(path, { stream: 0, fileSeconds: 0 }, reading),
      ...(encoded && soundPath && { sound: { encoded, joined: await packets.sound(soundPath, reading) } }),
    });
    if (flaw !== undefined) throw new JoinFlaw(pictures.length === 1 ? flaw : `${name}: ${flaw}`);
  }
}

function foundOf(part: FoundPart | undefined, size: number) {
  const found = part?.result.sizes?.[size];
  if (found === undefined) throw new TypeError('A chunk has no part');
  return found;
}
