import { audioCommand } from '../../core/chunking/commands/audio-command.ts';
import { chunkCommand } from '../../core/chunking/commands/chunk-command.ts';
import { type ChunkPlan, type ChunkTask, taskFileCount } from '../../core/chunking/plan/chunk-plan.ts';
import type { ChunkResult } from '../../core/chunking/verify/chunk-result.ts';
import { measureChunk } from '../../core/chunking/verify/verify-join.ts';
import { selectAudio } from '../../core/encoding/audio/encode-audio.ts';
import { overlayOf, withOverlayPath } from '../../core/encoding/encoding.ts';
import type { Command } from '../../core/media/ffmpeg/command.ts';
import { mapConcurrent } from '../worker/map-concurrent.ts';
import { type ChunkWorkerDeps, remainingSeconds } from '../worker/worker-deps.ts';

type Given = { plan: ChunkPlan; part: ChunkTask; directory: string };

export type ChunkContext = { signal: AbortSignal; deadline: Date; report: (percent: number) => void };

/** Where the files of an encoded part lie, by their numbers, and what was measured of them. */
type Encoded = { paths: string[]; found: Omit<ChunkResult, 'runs'> };

/** Reading packets is a short process of one thread. */
const measuredAtOnce = 2;

/** Encodes a part from the source in the bucket onto this machine's disk, and measures it. */
export async function encodeChunkTask(
  { encoder, packetReader, openS3RangeProxy, stallSeconds, clock }: ChunkWorkerDeps,
  { plan, part, directory }: Given,
  { signal, deadline, report }: ChunkContext,
): Promise<Encoded> {
  const { source, overlay } = plan;
  const timeLimitSeconds = () => remainingSeconds(clock, deadline);
  const pathOf = (file: number) => `${directory}/part-${file}`;
  await using door = await openS3RangeProxy({ source, ...(overlay && { overlay }) }, signal);
  const command = commandOf(plan, part, { pathOf, urlOf: door.urlOf });
  const onProgress = ({ percent }: { percent: number }) => report(percent);
  const running = { signal: door.signal, timeLimitSeconds: timeLimitSeconds(), stallSeconds, onProgress };
  await encoder.run(command, { directory, ...running });
  if (door.failure() !== undefined) throw door.failure();
  const reading = { signal, timeLimitSeconds: timeLimitSeconds(), role: 'output' } as const;
  if (part.kind === 'audio') {
    return { paths: [pathOf(0)], found: { audio: await packetReader.readAudioRange(pathOf(0), reading) } };
  }
  const paths = Array.from({ length: taskFileCount(plan.work, part) }, (_, file) => pathOf(file));
  const renditions = await mapConcurrent(paths, measuredAtOnce, async (path) =>
    measureChunk(await packetReader.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, reading)),
  );
  return { paths, found: { renditions } };
}

function commandOf(
  { work }: ChunkPlan,
  part: ChunkTask,
  { pathOf, urlOf }: { pathOf: (file: number) => string; urlOf: (name: string) => string },
): Command {
  const { source: probe, format, timelineOrigin } = work;
  const encoding = overlayOf(work.encoding)
    ? withOverlayPath(urlOf('overlay'), work.encoding)
    : work.encoding;
  const input = { probe, format, inputPath: urlOf('source'), isRemote: true };
  if (part.kind === 'chunk')
    return chunkCommand(input, encoding, { chunk: part.chunk, timelineOrigin, pathOf });
  const audio = selectAudio(probe, encoding);
  if (audio === undefined) throw new TypeError('There is no part for the sound of a silent output');
  return audioCommand(input, encoding, { audio, timelineOrigin, path: pathOf(0) });
}
