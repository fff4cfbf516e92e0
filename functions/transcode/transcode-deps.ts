import type { ChunkingPolicy } from '../../core/chunking/plan/plan-chunks.ts';
import type { ParallelMachine } from '../../core/chunking/ports.ts';
import type { InputLimits } from '../../core/media/probe/input-limits.ts';
import type { TerminateJobDeps } from '../terminate-job/terminate-job.ts';
import type { WorkerDeps } from '../worker/worker-deps.ts';

export type DownloadInputRequest = {
  url: string;
  /** The job's owner: an `upload://` URL opens only for the owner of the upload. */
  ownerId: string;
  path: string;
  maxBytes: number;
  signal: AbortSignal;
  onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
};

export type TranscodeDeps = WorkerDeps &
  TerminateJobDeps & {
    /** Downloads an input or an asset to `path`, under the address rules and timeouts of the stage. */
    download: (request: DownloadInputRequest) => Promise<{ bytes: number }>;
    limits: InputLimits;
    /** Directory of the fonts for drawn text. */
    fontsDirectory: string;
    chunking: Omit<ChunkingPolicy, 'speed'>;
    parallel: Pick<ParallelMachine, 'start'>;
    serviceVersion: string;
  };
