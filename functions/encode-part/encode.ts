import { chunkCommand } from '../../core/chunks/chunk-command.ts';
import type { PartResult } from '../../core/chunks/part-result.ts';
import { filesOf, type Part, type PartsPlan } from '../../core/chunks/parts-plan.ts';
import type { OpenDoor, PacketReader } from '../../core/chunks/ports.ts';
import { soundCommand } from '../../core/chunks/sound-command.ts';
import { measuredChunk } from '../../core/chunks/verify-join.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { Command } from '../../core/media/command.ts';
import type { Encoder } from '../../core/media/ports.ts';
import { overlayOf, withOverlayAt } from '../../core/recipes/encoding.ts';
import { keptSound } from '../../core/recipes/sound.ts';
import { sideBySide } from '../transcode/side-by-side.ts';

export type EncodePorts = {
  encoder: Encoder;
  packets: PacketReader;
  openDoor: OpenDoor;
  /** Seconds without any progress of ffmpeg after which the part fails. */
  stallSeconds: number;
  clock: Clock;
};

type Given = { plan: PartsPlan; part: Part; directory: string };

export type PartContext = { signal: AbortSignal; deadline: Date; report: (percent: number) => void };

/** Where the files of an encoded part lie, by their numbers, and what was measured of them. */
type Encoded = { paths: string[]; found: Omit<PartResult, 'runs'> };

/** Reading packets is a short process of one thread. */
const measuredAtOnce = 2;

/** Encodes a part from the source in the bucket onto this machine's disk, and measures it. */
export async function encodePart(
  { encoder, packets, openDoor, stallSeconds, clock }: EncodePorts,
  { plan, part, directory }: Given,
  { signal, deadline, report }: PartContext,
): Promise<Encoded> {
  const { source, overlay } = plan;
  const timeLimitSeconds = () => (deadline.getTime() - clock.now().getTime()) / 1000;
  const pathOf = (file: number) => `${directory}/part-${file}`;
  await using door = await openDoor({ source, ...(overlay && { overlay }) }, signal);
  const command = commandOf(plan, part, { pathOf, urlOf: door.urlOf });
  const onProgress = ({ percent }: { percent: number }) => report(percent);
  const running = { signal: door.signal, timeLimitSeconds: timeLimitSeconds(), stallSeconds, onProgress };
  await encoder.run(command, { directory, ...running });
  if (door.failure() !== undefined) throw door.failure();
  const reading = { signal, timeLimitSeconds: timeLimitSeconds(), of: 'output' } as const;
  if (part.kind === 'sound') {
    return { paths: [pathOf(0)], found: { sound: await packets.sound(pathOf(0), reading) } };
  }
  const paths = Array.from({ length: filesOf(plan.work, part) }, (_, file) => pathOf(file));
  const sizes = await sideBySide(paths, measuredAtOnce, async (path) =>
    measuredChunk(await packets.pictures(path, { stream: 0, fileSeconds: 0 }, reading)),
  );
  return { paths, found: { sizes } };
}

function commandOf(
  { work }: PartsPlan,
  part: Part,
  { pathOf, urlOf }: { pathOf: (file: number) => string; urlOf: (name: string) => string },
): Command {
  const { source: probe, format, beginning } = work;
  const encoding = overlayOf(work.encoding) ? withOverlayAt(urlOf('overlay'), work.encoding) : work.encoding;
  const input = { probe, format, inputPath: urlOf('source'), isStored: true };
  if (part.kind === 'chunk') return chunkCommand(input, encoding, { chunk: part.chunk, beginning, pathOf });
  const audio = keptSound(probe, encoding);
  if (audio === undefined) throw new TypeError('There is no part for the sound of a silent output');
  return soundCommand(input, encoding, { audio, beginning, path: pathOf(0) });
}
