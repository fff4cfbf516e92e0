import type { AudioRange, FrameIndex, PacketReader } from '@media-jobs/video/chunking';
import type { Command, Encoder, FileRewriter, Workspace } from '@media-jobs/video/ffmpeg';
import type { RangeProxy } from '../jobs/chunked-ports.ts';
import type { Clock, JobRef } from '../jobs/ports.ts';
import { publicationPrefix } from '../jobs/publication.ts';
import { isTerminal } from '../jobs/record.ts';
import { workPrefix } from '../jobs/stored-file.ts';
import type { WorkerPorts } from '../worker/ports.ts';
import { remainingSeconds } from '../worker/worker-context.ts';

export type ChunkRunnerDeps = { media: Encoder; packets: PacketReader; clock: Clock; stallSeconds: number };

export type ChunkRunner = {
  run(command: Command, onPercent?: (percent: number) => void): Promise<void>;
  readFrameIndex(path: string): Promise<FrameIndex>;
  readAudioRange(path: string): Promise<AudioRange>;
  /** Rewrites files that a command wrote. */
  rewriter: FileRewriter;
};

export type RunnerContext = {
  /** Working directory of ffmpeg. */
  directory: string;
  signal: AbortSignal;
  deadline: Date;
  rewriter: FileRewriter;
  /** The proxy that the commands read from. Left out where they read files on this disk. */
  proxy?: { signal: AbortSignal; failure: RangeProxy['failure'] };
};

/** A runner until `deadline`. `run` also rejects if a read through the proxy failed, which ffmpeg may not notice. */
export function chunkRunner(
  { media, packets, clock, stallSeconds }: ChunkRunnerDeps,
  { directory, signal, deadline, rewriter, proxy }: RunnerContext,
): ChunkRunner {
  const timeLimitSeconds = () => remainingSeconds(clock, deadline);
  const readOptions = () => ({ signal, timeLimitSeconds: timeLimitSeconds(), role: 'output' as const });
  return {
    async run(command, onPercent) {
      await media.run(command, {
        directory,
        signal: proxy?.signal ?? signal,
        timeLimitSeconds: timeLimitSeconds(),
        stallSeconds,
        onProgress: ({ percent }) => onPercent?.(percent),
      });
      if (proxy?.failure() !== undefined) throw proxy.failure();
    },
    readFrameIndex: (path) => packets.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, readOptions()),
    readAudioRange: (path) => packets.readAudioRange(path, readOptions()),
    rewriter,
  };
}

/** Opens a workspace that is removed when it is disposed. Cleanup errors are reported, not thrown. */
export async function openTemporaryWorkspace(
  { openWorkspace, onUnexpected }: WorkerPorts,
  ref: JobRef,
): Promise<AsyncDisposable & { workspace: Workspace }> {
  const workspace = await openWorkspace();
  return {
    workspace,
    [Symbol.asyncDispose]: () => workspace.remove().catch((cause: unknown) => onUnexpected(ref, cause)),
  };
}

/**
 * Removes a job's work files if the job has ended or is gone. Otherwise they stay for the next attempt. Cleanup errors
 * are reported, not thrown: reconcile removes what is left.
 */
export async function removeWorkFiles({ jobs, files, onUnexpected }: WorkerPorts, ref: JobRef): Promise<void> {
  try {
    const job = await jobs.get(ref);
    if (job === undefined || job.state === 'deleted' || isTerminal(job))
      await files.removeAll(workPrefix(ref.jobId), { except: [publicationPrefix(ref.jobId)] });
  } catch (cause) {
    onUnexpected(ref, cause);
  }
}
