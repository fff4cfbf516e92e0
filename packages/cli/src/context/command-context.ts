import type { Client, Sleep } from '@media-jobs/client';
import type { Command } from 'commander';
import type { Environment } from '../environment.ts';
import type { ExitName } from '../exit-codes.ts';
import type { OutputStream, ProgressView } from '../show/progress-view.ts';

/** Everything that the program takes from its process. Tests pass their own. */
export type ProcessContext = {
  environment: Environment;
  workingDirectory: string;
  out: OutputStream;
  err: OutputStream;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  sleep: Sleep;
  /** Unix time in milliseconds. */
  now(): number;
  newId(): string;
  readStandardInput(): Promise<string>;
};

/** Added to the error message if the command fails from here on. */
export type FailureHint = { hint: string; jobId?: string };

/** What every command works with. */
export type CommandContext = {
  /** The API client. Its first use throws CliError `usage` if MEDIA_JOBS_URL or MEDIA_JOBS_KEY is invalid. */
  client: Client;
  /** How this program is called, for the command lines in messages. */
  programName: string;
  isJson: boolean;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  sleep: Sleep;
  /** Unix time in milliseconds. */
  now(): number;
  newId(): string;
  environment: Environment;
  readStandardInput(): Promise<string>;
  /** Base of relative paths: the folder of the caller, also under `npm run`. */
  workingDirectory: string;
  /** Writes to standard output: `value` with `--json`, else `text`. With `--json`, call it once. */
  printResult(value: unknown, text: string): void;
  /** Writes a line to standard error; nothing with `--json`. */
  printNote(line: string): void;
  /** Progress on standard error. With `--json`, only on a terminal. */
  openProgressView(): ProgressView;
  /** Replaces the hint for a failure from here on. */
  setFailureHint(failureHint: FailureHint): void;
  /** How the command exits, unless it throws. Default: `ok`. */
  setExit(exit: ExitName): void;
};

export type CommandFactory = (context: CommandContext) => Command;
