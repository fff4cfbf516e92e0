import { type JobLogs, maxCommandBytes, maxLogBytes } from '../../core/jobs/attempt-log.ts';
import type { Clock } from '../../core/jobs/ports.ts';
import type { JobIn } from '../../core/jobs/record.ts';
import type { Encoder, RunRecord } from '../../core/media/ffmpeg/ports.ts';

export type StoreLogDeps = {
  logs: Pick<JobLogs, 'put'>;
  encoder: Pick<Encoder, 'version'>;
  clock: Pick<Clock, 'now'>;
  /** How long a log is kept: as long as the files that it tells of, in milliseconds. */
  retentionMs: number;
};

/** Writes down what ffmpeg was asked and said in an attempt; nothing where it never ran. */
export async function storeLog(
  { logs, encoder, clock, retentionMs }: StoreLogDeps,
  { ownerId, jobId, attempt }: JobIn<'processing'>,
  runs: readonly RunRecord[],
): Promise<void> {
  if (runs.length === 0) return;
  const log = runs.map((run) => run.log).join('\n');
  const kept = {
    attempt,
    ffmpegVersion: await encoder.version(),
    commands: thoseThatFit(runs.map((run) => run.arguments)),
    log: Buffer.from(log).subarray(-maxLogBytes).toString(),
  };
  await logs.put({ ownerId, jobId }, kept, new Date(clock.now().getTime() + retentionMs));
}

/** The first, and the last: of the parts of a long video any is like the others, and the last joins them. */
function thoseThatFit(commands: readonly string[][]): string[][] {
  const sizeOf = (command: readonly string[]) => Buffer.byteLength(command.join(' '));
  const last = commands.slice(-1);
  let left = maxCommandBytes - sizeOf(last.flat());
  const others = commands.slice(0, -1);
  const tooMany = others.findIndex((command) => {
    left -= sizeOf(command);
    return left < 0;
  });
  return [...others.slice(0, tooMany === -1 ? undefined : tooMany), ...last];
}
