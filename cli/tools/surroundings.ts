import type { Pause } from '../../client/pause.ts';
import type { Environment } from '../environment.ts';

export type Output = NodeJS.WritableStream & { isTTY?: boolean; rows?: number };

/** Everything that the program has to do with, so that tests can give it something else. */
export type Surroundings = {
  environment: Environment;
  workingDirectory: string;
  out: Output;
  err: Output;
  /** Aborts at Ctrl-C. */
  signal: AbortSignal;
  pause: Pause;
  now(): number;
  newId(): string;
};
