import type { ChunkSettings, MediaLocation, PacketReader } from '@media-jobs/video/chunking';
import type { Processors, SlownessStore } from '@media-jobs/video/cost-model';
import type { Worker } from '@media-jobs/video/decide';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import type { Encoder, Workspace } from '@media-jobs/video/ffmpeg';
import type { InputFile } from '@media-jobs/video/media';
import type { InputLimits } from '@media-jobs/video/probe';
import type { JobLogs } from '../jobs/attempt-log.ts';
import type { OpenRangeProxy, ParallelStateMachine, WorkFiles } from '../jobs/chunked-ports.ts';
import type {
  Clock,
  ContentKeyCipher,
  FargateMachine,
  JobRef,
  JobTable,
  MediaFiles,
  TranscodeQueue,
} from '../jobs/ports.ts';
import type { Chunking, JobIn } from '../jobs/record.ts';
import type { RunningSlots } from '../jobs/slots.ts';
import type { JobStage } from '../jobs/states.ts';
import type { Turn } from '../jobs/waiting-line.ts';
import type { Permits } from '../permits.ts';
import type { FargateComputer } from '../pricing/fargate-computer.ts';
import type { PricedStage } from '../pricing/priced-stage.ts';
import type { PricedWorkers } from '../pricing/priced-workers.ts';
import type { SpendingCounters } from '../spending/spending-counter.ts';
import type { OpenObjectStore } from '../storage/object-store.ts';
import type { StorageProviderRef } from '../storage/provider.ts';
import type { TerminateJobDeps } from '../termination/terminate-job.ts';

/** Dependencies of everything that runs ffmpeg on a job: transcode, encode-chunk, join-chunks and a Fargate task. */
export type WorkerDeps = {
  jobs: JobTable;
  encoder: Encoder;
  packetReader: PacketReader;
  files: MediaFiles;
  workFiles: WorkFiles;
  logs: JobLogs;
  /** Opens an empty directory on the worker's disk; the caller removes it. */
  openWorkspace: () => Promise<Workspace>;
  clock: Clock;
  newId: () => string;
  /** Seconds without any progress of ffmpeg after which a run fails. */
  stallSeconds: number;
  /** How long finished files and logs are kept. */
  retentionMs: number;
  /** What the cost of a job depends on. */
  pricedStage: PricedStage;
  /** Receives errors that the job's owner sees only as `INTERNAL_ERROR`, and errors of cleanup. */
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/** Dependencies of transcode, join-chunks and a Fargate task, which store the finished files of a job. */
export type StoreResultDeps = WorkerDeps & {
  /** Opens the storage provider of an owner. */
  openObjectStore: OpenObjectStore;
  /** Decrypts the content keys of streams. */
  contentKeys: Pick<ContentKeyCipher, 'decrypt'>;
};

/** Dependencies of encode-chunk and join-chunks, which read stored objects through a proxy on 127.0.0.1. */
export type ChunkWorkerDeps = WorkerDeps & { openRangeProxy: OpenRangeProxy };

/** Dependencies of encode-chunk. */
export type EncodeChunkDeps = ChunkWorkerDeps & Pick<TranscodeDeps, 'fontsDirectory'>;

export type DownloadInputRequest = {
  url: string;
  /** The job's owner: an `upload://` URL opens only for the owner of the upload. */
  ownerId: string;
  path: string;
  maxBytes: number;
  signal: AbortSignal;
  onProgress: (progress: { bytes: number; totalBytes: number | undefined }) => void;
  /** Set for a source that the job can read by ranges: from `fromBytes` on, it is not downloaded. */
  asRemote?: RemoteOptions | undefined;
};

export type RemoteOptions = {
  fromBytes: number;
  /** Number of the input in the request, from 0. */
  input: number;
  /** Key in the media bucket for the copy of an input whose server serves no ranges. */
  copyKey: string;
  /** Called before the copy is begun: from then on it may exist, also if the download fails. */
  onCopy?: () => void;
};

/** A file on this disk. */
export type DownloadedInput = Omit<InputFile, 'name'> & StatedByHost;

/** A source that is read by ranges in place. */
export type RemoteInput = { bytes: number; location: MediaLocation } & StatedByHost;

export type StatedByHost = {
  /** The file name that the host of an input states. It may contain anything. */
  statedName?: string | undefined;
  /** Set if it sent less than it stated: says so in a sentence. */
  shortfall?: string | undefined;
};

/** Dependencies of transcode and a Fargate task, which process a whole job. */
export type EncodeJobDeps = StoreResultDeps &
  TerminateJobDeps & {
    /** Downloads an input or an asset to `path`, or locates it, under the address rules and timeouts of the stage. */
    download: (request: DownloadInputRequest) => Promise<DownloadedInput | RemoteInput>;
    /** Maximum bytes of all inputs of a job together, by the disk of this worker. */
    maxDownloadBytes: number;
    limits: InputLimits;
    /** Directory of the fonts for drawn text. */
    fontsDirectory: string;
    /** The memory of this worker. Undefined where nothing limits it. */
    memory?: WorkerMemory | undefined;
    /** The spending counters of the caps of jobs. */
    spending: SpendingCounters;
    /** What an estimate depends on. */
    pricedWorkers: PricedWorkers;
    processors: Processors;
    /** What the workers of the stage measured. */
    slowness: SlownessStore;
    queue: TranscodeQueue;
  };

/** Dependencies of a Fargate task. */
export type TaskDeps = EncodeJobDeps & { kind: 'task' };

/** Dependencies of a worker that processes whole jobs. */
export type WholeJobDeps = TranscodeDeps | TaskDeps;

/** Dependencies of transcode in a function, which may leave work to other workers. */
export type TranscodeDeps = EncodeJobDeps & {
  kind: 'function';
  /** Opens sources that are read in place. */
  openRangeProxy: OpenRangeProxy;
  /** The version of an object at a storage provider. Throws JobError `INPUT_UNREACHABLE`. */
  findStored: (
    source: StorageProviderRef & { key: string },
    signal: AbortSignal,
  ) => Promise<{ etag: string; sizeBytes: number }>;
  chunking: ChunkSettings;
  parallel: Pick<ParallelStateMachine, 'start'>;
  /** Chunks of one owner that are encoded at the same time. Undefined: as many as there are functions. */
  maxRunningChunks: number | undefined;
  /** Undefined if the stage has no Fargate tasks. */
  fargate?: FargateWorker | undefined;
  slots: RunningSlots;
  longPermits: Permits;
  maxRunningJobs: number;
  /** The jobs that the stage processes at the same time, of all owners. */
  workers: number;
  /** The turn of this worker among the owners with waiting jobs. It lasts as long as the process. */
  turns: LineTurns;
  /** Its turn among the owners with waiting long jobs. */
  longTurns: LineTurns;
  /** Receives the claimed job, which may be another than that of the message. */
  onClaimed: (ref: JobRef) => void;
};

/** A Fargate task for the whole jobs that transcode leaves to it. */
export type FargateWorker = FargateComputer & { machine: Pick<FargateMachine, 'start'> };

/** A worker's turn in a line, and the owner after which the next read of the line continues. */
export type LineTurns = { current: Turn; unreadAfter?: string | undefined };

/** The progress of a job, as its worker reports it. */
export type ProgressReport = {
  stage: JobStage;
  /** The completed share of the stage, from 0 to 1. */
  fraction: number;
  /** Wall seconds until the encoding ends, by ffmpeg's estimate. */
  remainingSeconds?: number;
  /** The number of chunks and the reason for it, once decided. */
  chunking?: Chunking;
  /** Who does each step, once decided. */
  workers?: Worker[];
};

/** The job that a worker processes. */
export type WorkerContext = {
  job: JobIn<'processing'>;
  report: (progress: ProgressReport) => void;
  /** Aborts when the lease is lost or the deadline has passed. */
  signal: AbortSignal;
  deadline: Date;
};

/** Wall seconds that a command may take until the deadline. */
export function remainingSeconds(clock: Clock, deadline: Date): number {
  return (deadline.getTime() - clock.now().getTime()) / 1000;
}
