import type { Probe } from '../probe/probe.ts';
import type { Command } from './command.ts';

/** How far one command is. `percent` never falls and is at most 99 until the run has resolved. */
export type CommandProgress = {
  percent: number;
  /** Media seconds encoded per second of wall time. */
  speed?: number;
  /** Estimated wall seconds until this command ends. */
  remainingSeconds?: number;
};

export type RunOptions = {
  /** Working directory of the run; every file it writes lies below. */
  directory: string;
  /** Ends the run: TERM, then KILL. The run then rejects with the signal's reason. */
  signal: AbortSignal;
  /** Wall seconds after which the run is ended as `TIMEOUT`. */
  timeLimitSeconds: number;
  /** Seconds without any progress after which the run is ended as `TRANSCODE_ERROR`. */
  stallSeconds: number;
  onProgress?: (progress: CommandProgress) => void;
};

export type ProbeOptions = {
  signal?: AbortSignal;
  /**
   * With `output`, a file that cannot be read is a `TRANSCODE_ERROR` and not the input's fault; `subtitles` is a
   * client's file of text.
   */
  role?: 'input' | 'output' | 'subtitles';
};

/** What is kept of a run for the job's log: the exact argument list and the last 64 KiB of what ffmpeg said. */
export type RunRecord = { arguments: string[]; log: string };

/** The encoder as the worker sees it. */
export type Encoder = {
  /** The first line of what the program says about itself, such as `ffmpeg version 7.1.2-0+deb13u1`. */
  version(): Promise<string>;
  /** The names of the filters that the program was built with. */
  filters(): Promise<ReadonlySet<string>>;
  /** Measures a file; throws `JobError` (`INPUT_NOT_MEDIA`, `INPUT_FORBIDDEN`, `INPUT_UNSUPPORTED`). */
  probe(path: string, options?: ProbeOptions): Promise<Probe>;
  /** Runs one command; throws `EncodeError`, a `JobError` that carries the record of the failed run. */
  run(command: Command, options: RunOptions): Promise<RunRecord>;
};

/** A job's own empty directory on the worker's disk. */
export type Workspace = {
  /** Where a download goes; `name` is ours, whatever the client called the file. */
  downloadPath(name: string): string;
  /** Makes an empty directory for what one step writes. */
  makeDirectory(name: string): Promise<string>;
  /** Gives back the disk that a file takes, or a directory. */
  free(path: string): Promise<void>;
  sizeBytes(path: string): Promise<number>;
  writeText(path: string, content: string): Promise<void>;
  readText(path: string): Promise<string>;
  /** Removes the directory with all that is in it. */
  remove(): Promise<void>;
};
