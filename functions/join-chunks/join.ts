import { joinCommands } from '../../core/chunking/commands/join-commands.ts';
import type { ChunkPlan } from '../../core/chunking/plan/chunk-plan.ts';
import { selectAudio } from '../../core/encoding/audio/encode-audio.ts';
import { type ChunkWorkerDeps, remainingSeconds } from '../worker/worker-deps.ts';
import type { EncodedChunk } from './load-chunk-results.ts';
import { verifyJoin } from './verify-join.ts';

type Given = { plan: ChunkPlan; parts: readonly EncodedChunk[]; directory: string };

type JoinContext = { signal: AbortSignal; deadline: Date; report: (percent: number) => void };

/**
 * Joins parts that lie in the bucket into the finished files in `directory`, which are all that the disk has to hold,
 * and compares them with what was planned.
 * @throws JoinMismatchError where a joined file is not what one pass would have made
 */
export async function joinChunks(
  { encoder, packetReader, openS3RangeProxy, stallSeconds, clock }: ChunkWorkerDeps,
  { plan: { work }, parts, directory }: Given,
  { signal, deadline, report }: JoinContext,
): Promise<void> {
  const objects = parts.flatMap(({ files }, part) =>
    files.map((object, file) => [nameOf(part, file), object] as const),
  );
  await using door = await openS3RangeProxy(Object.fromEntries(objects), signal);
  const { commands, videos } = joinCommands(
    { ...work, audio: selectAudio(work.source, work.encoding) },
    {
      chunkPath: (chunk, size) => door.urlOf(nameOf(chunk, size)),
      audioPath: () => door.urlOf(nameOf(work.chunks.length, 0)),
      areRemote: true,
      directory,
    },
  );
  const timeLimitSeconds = () => remainingSeconds(clock, deadline);
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
  const reading = { signal, timeLimitSeconds: timeLimitSeconds(), role: 'output' } as const;
  await verifyJoin(packetReader, { work, parts, pictures: videos }, reading);
}

/** Of a file behind the door. */
function nameOf(part: number, file: number): string {
  return `${part}-${file}`;
}
