import type { Sleep } from '../../client/upload-retry.ts';
import type { Environment } from '../environment.ts';

export type OutputStream = NodeJS.WritableStream & { isTTY?: boolean; rows?: number };

/** Everything that the program has to do with, so that tests can give it something else. */
export type ProcessContext = {
  environment: Environment;
  workingDirectory: string;
  out: OutputStream;
  err: OutputStream;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  pause: Sleep;
  now(): number;
  newId(): string;
};
