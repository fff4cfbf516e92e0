import { joinCommand } from '../../core/chunks/join-command.ts';
import type { PartResult } from '../../core/chunks/part-result.ts';
import type { PartsPlan } from '../../core/chunks/parts-plan.ts';
import type { OpenDoor, PacketReader } from '../../core/chunks/ports.ts';
import { restoreTimes } from '../../core/chunks/stored-times.ts';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { Encoder } from '../../core/media/ports.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import type { FoundPart } from './find-parts.ts';
import { JoinFlaw } from './join-flaw.ts';

export type JoinPorts = {
  encoder: Encoder;
  packets: PacketReader;
  openDoor: OpenDoor;
  stallSeconds: number;
  clock: Clock;
};

type Given = { plan: PartsPlan; parts: readonly FoundPart[]; directory: string };

type JoinContext = { signal: AbortSignal; deadline: Date; report: (percent: number) => void };

/**
 * Joins parts that lie in the bucket into the finished file in `directory`, which is all that the disk has to hold, and
 * compares it with what was planned.
 * @throws JoinFlaw where the joined file is not what one pass would have made
 */
export async function joinParts(
  { encoder, packets, openDoor, stallSeconds, clock }: JoinPorts,
  { plan: { work }, parts, directory }: Given,
  { signal, deadline, report }: JoinContext,
): Promise<void> {
  const objects = parts.map(({ object }, part) => [`${part}`, object] as const);
  await using door = await openDoor(Object.fromEntries(objects), signal);
  const chunks = work.chunks.map((chunk, part) => ({ chunk, path: door.urlOf(`${part}`) }));
  const audio = keptSound(work.source, work.encoding);
  const path = `${directory}/${work.output.filename}`;
  const command = joinCommand({
    ...{ format: work.format, codec: work.encoding.codec, chunks, path, areStored: true },
    ...(audio && { sound: { audio, path: door.urlOf(`${chunks.length}`) } }),
  });
  const timeLimitSeconds = () => (deadline.getTime() - clock.now().getTime()) / 1000;
  const onProgress = ({ percent }: { percent: number }) => report(percent / 2);
  const running = { signal: door.signal, timeLimitSeconds: timeLimitSeconds(), stallSeconds, onProgress };
  await encoder.run(command, { directory, ...running });
  if (door.failure() !== undefined) throw door.failure();
  const reading = { signal, timeLimitSeconds: timeLimitSeconds(), of: 'output' } as const;
  const sound = parts[chunks.length]?.result.sound;
  const flaw = flawOfJoin({
    chunks: work.chunks.map((chunk, part) => ({ chunk, found: pictureOf(parts[part]?.result) })),
    source: restoreTimes(work.times),
    joined: await packets.pictures(path, { stream: 0, fileSeconds: 0 }, reading),
    ...(sound && { sound: { encoded: sound, joined: await packets.sound(path, reading) } }),
  });
  if (flaw !== undefined) throw new JoinFlaw(flaw);
}

function pictureOf(result: PartResult | undefined): NonNullable<PartResult['picture']> {
  if (result?.picture === undefined) throw new TypeError('A chunk has no part');
  return result.picture;
}
