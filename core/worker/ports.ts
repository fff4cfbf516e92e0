import type { ChunkSettings, MediaLocation, PacketReader } from '@media-jobs/video/chunking';
import type { Processors, SlownessStore } from '@media-jobs/video/cost-model';
import type { WorkerMemory } from '@media-jobs/video/encoding';
import type { Encoder, Workspace } from '@media-jobs/video/ffmpeg';
import type { InputFile } from '@media-jobs/video/media';
import type { InputLimits } from '@media-jobs/video/probe';
import type { JobLogs } from '../jobs/attempt-log.ts';
import type { OpenRangeProxy, ParallelStateMachine, WorkFiles } from '../jobs/chunked-ports.ts';
import type { JobQueue } from '../jobs/job-queue.ts';
import type {
  Clock,
  ContentKeyCipher,
  FargateMachine,
  JobRef,
  JobTable,
  MediaFiles,
  TranscodeQueue,
} from '../jobs/ports.ts';
import type { QueueReader } from '../jobs/waiting-queue.ts';
import type { FargateComputer, PricedWorkers } from '../pricing/fargate-computer.ts';
import type { PricedStage } from '../pricing/region-prices.ts';
import type { SpendingCounters } from '../spending/spending-counter.ts';
import type { OpenObjectStore } from '../storage/object-store.ts';
import type { StoredInput } from '../storage/storage-url.ts';
import type { TerminateJobDeps } from '../termination/terminate-job.ts';

/** What every worker calls and knows: transcode, encode-chunk, join-chunks and a Fargate task. */
export type WorkerPorts = {
  jobs: JobTable;
  /** ffmpeg and ffprobe on this machine. */
  media: Encoder;
  packets: PacketReader;
  files: WorkerFiles;
  /** What the kernel of this worker puts around ffmpeg, if there is a launcher. */
  isolation?: readonly string[] | undefined;
  logs: JobLogs;
  /** What the cost of a job depends on. */
  money: { stage: PricedStage };
  /** Opens an empty directory on the worker's disk; the caller removes it. */
  openWorkspace: () => Promise<Workspace>;
  clock: Clock;
  newId: () => string;
  /** Seconds without any progress of ffmpeg after which a run fails. */
  stallSeconds: number;
  /** How long finished files and logs are kept. */
  retentionMs: number;
  /** Receives errors that the job's owner sees only as `INTERNAL_ERROR`, and errors of cleanup. */
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/** The media bucket: finished files of jobs, and the files that workers leave to one another. */
export type WorkerFiles = MediaFiles & WorkFiles;

/** Ports of a worker that stores the finished files of a job: transcode, join-chunks and a Fargate task. */
export type StoringPorts = WorkerPorts & {
  /** Opens the storage provider of an owner. */
  openObjectStore: OpenObjectStore;
  contentKeys: { decrypt: ContentKeyCipher['decrypt'] };
};

/** Ports of encode-chunk and join-chunks, which read stored objects through a proxy on 127.0.0.1. */
export type ChunkPorts = WorkerPorts & { openRangeProxy: OpenRangeProxy };

/** Where the inputs of jobs come from. */
export type Sources = {
  /** Downloads an input or an asset to `path`, or locates it, under the address rules and timeouts of the stage. */
  download(request: DownloadInputRequest): Promise<DownloadedInput | RemoteInput>;
  /** The object of a storage provider that an input's URL names, and its version. Throws JobError `INPUT_UNREACHABLE`. */
  findStored(
    input: { ownerId: string; url: string },
    signal: AbortSignal,
  ): Promise<(StoredInput & { etag: string; sizeBytes: number }) | undefined>;
};
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
  input: number;
  /** Key in the media bucket for the copy of an input whose server serves no ranges. */
  copyKey: string;
  /** A source of up to so many bytes is copied there in any case, because several workers read it. */
  copiesUpToBytes?: number;
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

/** Ports of transcode and a Fargate task, which process a whole job. */
type WholeJobPorts = StoringPorts &
  TerminateJobDeps & {
    sources: Sources;
    money: { stage: PricedStage; workers: PricedWorkers; counters: SpendingCounters };
    queue: TranscodeQueue;
    /** What the workers of the stage measured. */
    slowness: SlownessStore;
    /** Maximum bytes of all inputs of a job together, by the disk of this worker. */
    maxDownloadBytes: number;
    limits: InputLimits;
    /** Directory of the fonts for drawn text. */
    fontsDirectory: string;
    /** The memory of this worker. Undefined where nothing limits it. */
    memory?: WorkerMemory | undefined;
    processors: Processors;
    /** Opens sources that are read in place. */
    openRangeProxy: OpenRangeProxy;
    chunking: ChunkSettings;
  };

/** Ports of a Fargate task: of one job, or of a slot of the pool, which has a share of the task. */
export type TaskPorts = WholeJobPorts & { kind: 'task'; isPool?: boolean };

export type JobPorts = FunctionPorts | TaskPorts;

/** Ports of transcode in a function, which may leave work to other workers. */
export type FunctionPorts = WholeJobPorts & {
  kind: 'function';
  queue: JobQueue;
  /** Chunks of one owner that are encoded at the same time. Undefined: as many as there are functions. */
  maxRunningChunks: number | undefined;
  maxBatchChunks?: number | undefined;
  parallel: { start: ParallelStateMachine['start'] };
  /** Undefined if the stage has no Fargate tasks. */
  fargate?: FargateWorker | undefined;
};

export type ClaimPorts = {
  jobs: JobTable;
  queue: JobQueue;
  /** What this process remembers of its claims from the queue. */
  claims: Record<'short' | 'long' | 'economy' | 'batch', QueueReader>;
  clock: Clock;
  newId: WorkerPorts['newId'];
  /** Receives the claimed job, which may be another than that of the message. */
  onClaimed: (ref: JobRef) => void;
  onUnexpected: (ref: JobRef, cause: unknown) => void;
};

/** A Fargate task for the whole jobs that transcode leaves to it. */
export type FargateWorker = FargateComputer & { machine: { start: FargateMachine['start'] } };
