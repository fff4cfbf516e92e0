import type { AudioRange, FrameIndex } from '@media-jobs/video/chunking';
import type { Command, FileRewriter } from '@media-jobs/video/ffmpeg';
import type { RangeProxy } from '../jobs/chunked-ports.ts';
import { remainingSeconds, type WorkerDeps } from '../worker/worker-deps.ts';

export type ChunkRunnerDeps = Pick<WorkerDeps, 'encoder' | 'packetReader' | 'clock' | 'stallSeconds'>;

/** Runs the commands of an encoding in chunks, and reads the packets of the files that they write. */
export type ChunkRunner = {
  run(command: Command, onPercent?: (percent: number) => void): Promise<void>;
  /** Of the video stream of a file that a command wrote. */
  readFrameIndex(path: string): Promise<FrameIndex>;
  /** Of the audio stream of a file that a command wrote. */
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
  proxy?: Pick<RangeProxy, 'signal' | 'failure'>;
};

/** A runner until `deadline`. `run` also rejects if a read through the proxy failed, which ffmpeg may not notice. */
export function chunkRunner(
  { encoder, packetReader, clock, stallSeconds }: ChunkRunnerDeps,
  { directory, signal, deadline, rewriter, proxy }: RunnerContext,
): ChunkRunner {
  const timeLimitSeconds = () => remainingSeconds(clock, deadline);
  const readOptions = () => ({ signal, timeLimitSeconds: timeLimitSeconds(), role: 'output' as const });
  return {
    async run(command, onPercent) {
      await encoder.run(command, {
        directory,
        signal: proxy?.signal ?? signal,
        timeLimitSeconds: timeLimitSeconds(),
        stallSeconds,
        onProgress: ({ percent }) => onPercent?.(percent),
      });
      if (proxy?.failure() !== undefined) throw proxy.failure();
    },
    readFrameIndex: (path) => packetReader.readFrameIndex(path, { stream: 0, fileSeconds: 0 }, readOptions()),
    readAudioRange: (path) => packetReader.readAudioRange(path, readOptions()),
    rewriter,
  };
}
