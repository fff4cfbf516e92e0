import type { Client } from '../../client/client.ts';
import type { Sleep } from '../../client/upload-retry.ts';
import type { ProgressView } from '../show/progress-view.ts';

/** What is the case should the command end here: for the person, and for a program that reads the error. */
export type FailureHint = { hint: string; jobId?: string };

/** What a command works with. */
export type CommandContext = {
  /** Calls the service; throws CliError `usage` at its first use where the environment does not say how. */
  client: Client;
  programName: string;
  /** Whether the answer is to be JSON. */
  isJson: boolean;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  pause: Sleep;
  /** Unix milliseconds. */
  now(): number;
  newId(): string;
  /** The folder from which relative paths are seen. */
  workingDirectory: string;
  /** Writes the answer to standard output: the value as JSON, or else the text. Once where it is JSON. */
  printResult(value: unknown, text: string): void;
  /** Tells a person something on the side, by standard error. */
  printNote(line: string): void;
  /** Shows how far things are, by standard error. */
  openProgressView(): ProgressView;
  /** Says what is the case, should anything end the command from here on. */
  setFailureHint(situation: FailureHint): void;
};
