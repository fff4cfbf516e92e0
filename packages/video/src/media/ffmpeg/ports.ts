import { JobError } from '../../errors.ts';
import type { ReadAt } from '../boxes.ts';
import type { Probe } from '../probe/probe.ts';
import type { Command } from './command.ts';
import type { CommandProgress, Decoding } from './ffmpeg-output.ts';
import type { VmafComparison } from './vmaf-comparison.ts';

export type RunOptions = {
  /** Working directory of the run. Every file that it writes is below it. */
  directory: string;
  /** Aborts the run: SIGTERM, then SIGKILL. The run rejects with the signal's reason. */
  signal: AbortSignal;
  /** Wall seconds after which the run fails with `TIMEOUT`. */
  timeLimitSeconds: number;
  /** Seconds without progress after which the run fails with `TRANSCODE_ERROR`. */
  stallSeconds: number;
  /** Ends a run that writes far more than its duration: `INPUT_UNSUPPORTED`. `maxFps` is the highest of an output. */
  lengthLimit?: { maxFps: number };
  onProgress?: (progress: CommandProgress) => void;
};

export type ProbeOptions = {
  signal?: AbortSignal;
  /** An unreadable `output` is a `TRANSCODE_ERROR`, not an input error. `subtitles` selects the text demuxers. */
  role?: 'input' | 'output' | 'subtitles';
  /** Set for an input that is not on this disk: its path is then a URL of the range proxy. */
  remote?: RemoteMedia | undefined;
  /** Decodes some frames of an input to find closed captions: no header states them. */
  readsCaptions?: boolean | undefined;
};

/** Reads ranges of a file that lies elsewhere. */
export type RemoteMedia = { readAt: ReadAt; sizeBytes: number };

/** The record of a run in the job's log: the exact arguments and the last 64 KiB of ffmpeg's log. */
export type RunRecord = { arguments: string[]; log: string; decoding?: Decoding | undefined };

/** The runs of ffmpeg that made the frames, and the VMAF score of each frame, 0 to 100. */
export type ComparisonRecord = { runs: RunRecord[]; frameScores: number[] };

export type Encoder = {
  /** The first line of `ffmpeg -version`, such as `ffmpeg version 7.1.2-0+deb13u1`. */
  version(): Promise<string>;
  /** Whether `compare` works: it needs the program `vmaf`, or an ffmpeg with libvmaf. */
  canCompare(): Promise<boolean>;
  /**
   * Reads the streams of a file. Changes a local HEIF file that has a crop: ffmpeg 7.1 could not open it otherwise.
   * @throws JobError `INPUT_NOT_MEDIA`, `INPUT_FORBIDDEN` or `INPUT_UNSUPPORTED`
   */
  probe(path: string, options?: ProbeOptions): Promise<Probe>;
  /** The text of a file that a run wrote. @throws JobError `INPUT_UNSUPPORTED` for more than the memory holds */
  readText(path: string): Promise<string>;
  /** Replaces the text of a file that a run wrote. */
  writeText(path: string, text: string): Promise<void>;
  /** @throws EncodeError a `JobError` with the record of the failed run */
  run(command: Command, options: RunOptions): Promise<RunRecord>;
  /** Scores each frame of an encoded video. @throws EncodeError a `JobError` with the record of the failed run */
  compare(comparison: VmafComparison, options: RunOptions): Promise<ComparisonRecord>;
};

/** A directory on the worker's disk for one job. */
export type Workspace = FileRewriter & {
  /** Path for a download. `name` is chosen by the worker, not by the client. */
  downloadPath(name: string): string;
  /** Makes an empty directory for the outputs of one step. */
  makeDirectory(name: string): Promise<string>;
  removePath(path: string): Promise<void>;
  sizeBytes(path: string): Promise<number>;
  writeText(path: string, content: string): Promise<void>;
  readText(path: string): Promise<string>;
  remove(): Promise<void>;
};

export type FileRewriter = {
  /** Writes a file beside the one at `path`, from which `content` may be read, and then puts it in its place. */
  replaceFile(path: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** Opens a file to read ranges of it. */
  openFile(path: string): Promise<{ readAt: ReadAt } & AsyncDisposable>;
};

/** A failed run with its record for the job's log. */
export class EncodeError extends JobError {
  readonly runRecord: RunRecord;

  constructor(
    failure: Pick<JobError, 'code' | 'message' | 'retryable'>,
    runRecord: RunRecord,
    options: { cause?: unknown } = {},
  ) {
    super(failure.code, failure.message, { retryable: failure.retryable, ...options });
    this.name = 'EncodeError';
    this.runRecord = runRecord;
  }
}

/** Wraps an encoder so that the record of each run is added to `runs`, failed ones included. */
export function recordRuns(encoder: Encoder): { encoder: Encoder; runs: readonly RunRecord[] } {
  const runs: RunRecord[] = [];
  const recorded = async <Result>(running: Promise<Result>, runsOf: (result: Result) => readonly RunRecord[]) => {
    try {
      const result = await running;
      runs.push(...runsOf(result));
      return result;
    } catch (error) {
      if (error instanceof EncodeError) runs.push(error.runRecord);
      throw error;
    }
  };
  return {
    runs,
    encoder: {
      ...encoder,
      run: (command, options) => recorded(encoder.run(command, options), (record) => [record]),
      compare: (comparison, options) => recorded(encoder.compare(comparison, options), (record) => record.runs),
    },
  };
}
