import { joinsOf } from '../../core/chunks/joins.ts';
import type { PartsPlan } from '../../core/chunks/parts-plan.ts';
import type { OpenDoor, PacketReader } from '../../core/chunks/ports.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { Encoder } from '../../core/media/ports.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import type { FoundPart } from './find-parts.ts';
import { judgeJoin } from './judge-join.ts';

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
 * Joins parts that lie in the bucket into the finished files in `directory`, which are all that the disk has to hold,
 * and compares them with what was planned.
 * @throws JoinFlaw where a joined file is not what one pass would have made
 */
export async function joinParts(
  { encoder, packets, openDoor, stallSeconds, clock }: JoinPorts,
  { plan: { work }, parts, directory }: Given,
  { signal, deadline, report }: JoinContext,
): Promise<void> {
  const objects = parts.flatMap(({ files }, part) =>
    files.map((object, file) => [nameOf(part, file), object] as const),
  );
  await using door = await openDoor(Object.fromEntries(objects), signal);
  const { commands, pictures } = joinsOf(
    { ...work, audio: keptSound(work.source, work.encoding) },
    {
      chunkPath: (chunk, size) => door.urlOf(nameOf(chunk, size)),
      soundPath: () => door.urlOf(nameOf(work.chunks.length, 0)),
      areStored: true,
      directory,
    },
  );
  const timeLimitSeconds = () => (deadline.getTime() - clock.now().getTime()) / 1000;
  for (const [index, command] of commands.entries()) {
    await encoder.run(command, {
      directory,
      signal: door.signal,
      timeLimitSeconds: timeLimitSeconds(),
      stallSeconds,
      onProgress: ({ percent }) => report((50 * index + percent / 2) / commands.length),
    });
    if (door.failure() !== undefined) throw door.failure();
  }
  const reading = { signal, timeLimitSeconds: timeLimitSeconds(), of: 'output' } as const;
  await judgeJoin(packets, { work, parts, pictures }, reading);
}

/** Of a file behind the door. */
function nameOf(part: number, file: number): string {
  return `${part}-${file}`;
}
