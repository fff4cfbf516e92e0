import { joinCommand } from '../../core/chunks/join-command.ts';
import { type PartResult, partResultSchema } from '../../core/chunks/part-result.ts';
import { type PartsPlan, partsOf } from '../../core/chunks/parts-plan.ts';
import type { OpenDoor, PacketReader, WorkFiles } from '../../core/chunks/ports.ts';
import { restoreTimes } from '../../core/chunks/stored-times.ts';
import { flawOfJoin } from '../../core/chunks/verify-join.ts';
import { partKeys } from '../../core/chunks/work-keys.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { Encoder, RunRecord } from '../../core/media/ports.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import { sideBySide } from '../transcode/side-by-side.ts';
import { JoinFlaw } from './join-flaw.ts';

export type JoinPorts = {
  encoder: Encoder;
  packets: PacketReader;
  openDoor: OpenDoor;
  workFiles: Pick<WorkFiles, 'find' | 'readText'>;
  stallSeconds: number;
  clock: Clock;
};

type Given = { plan: PartsPlan; planKey: string; directory: string };

type JoinContext = { signal: AbortSignal; deadline: Date; report: (percent: number) => void };

/** Each takes two requests. */
const foundAtOnce = 16;

/**
 * Joins the parts that lie in the bucket into the finished file in `directory`, which is all that the disk has to hold,
 * and compares it with what was planned. Returns what ffmpeg was asked and said for the parts.
 * @throws JoinFlaw where the joined file is not what one pass would have made
 */
export async function joinParts(
  ports: JoinPorts,
  { plan, planKey, directory }: Given,
  { signal, deadline, report }: JoinContext,
): Promise<{ runs: RunRecord[] }> {
  const { encoder, packets, openDoor, stallSeconds, clock } = ports;
  const { work } = plan;
  const parts = await findParts(ports, { plan, planKey });
  await using door = await openDoor(
    Object.fromEntries(parts.map(({ name, object }) => [name, object])),
    signal,
  );
  const chunks = work.chunks.map((chunk, index) => ({ chunk, path: door.urlOf(`${index}`) }));
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
  const sound = parts.at(-1)?.result.sound;
  const flaw = flawOfJoin({
    chunks: work.chunks.map((chunk, index) => ({ chunk, found: pictureOf(parts[index]?.result) })),
    source: restoreTimes(work.times),
    joined: await packets.pictures(path, { stream: 0, fileSeconds: 0 }, reading),
    ...(sound && { sound: { encoded: sound, joined: await packets.sound(path, reading) } }),
  });
  if (flaw !== undefined) throw new JoinFlaw(flaw);
  return { runs: parts.flatMap(({ result }) => result.runs) };
}

async function findParts({ workFiles }: JoinPorts, { plan, planKey }: Omit<Given, 'directory'>) {
  return sideBySide([...partsOf(plan.work).keys()], foundAtOnce, async (part) => {
    const keys = partKeys(planKey, part);
    const [text, file] = await Promise.all([workFiles.readText(keys.result), workFiles.find(keys.file)]);
    if (text === undefined || file === undefined) throw new JoinFlaw(`Part ${part + 1} is missing`);
    const result = partResultSchema.parse(JSON.parse(text));
    return { name: `${part}`, object: { key: keys.file, etag: file.etag }, result };
  });
}

function pictureOf(result: PartResult | undefined): NonNullable<PartResult['picture']> {
  if (result?.picture === undefined) throw new TypeError('A chunk was left without being measured');
  return result.picture;
}
