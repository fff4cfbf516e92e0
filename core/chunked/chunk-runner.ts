import type { AudioRange, FrameIndex, PacketReader } from '@media-jobs/video/chunking';
import type { Command, Encoder, FileRewriter } from '@media-jobs/video/ffmpeg';
import type { RangeProxy } from '../jobs/chunked-ports.ts';
import type { Clock } from '../jobs/ports.ts';
import { remainingSeconds } from '../worker/worker-context.ts';

export type ChunkRunnerDeps = { media: Encoder; packets: PacketReader; clock: Clock; stallSeconds: number };

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
