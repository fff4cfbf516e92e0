import type { Fault } from '@media-jobs/local-stage/emulators';

/** A message to the process that runs the stage. */
export type HostCommand =
  | { kind: 'fail'; id: number; fault: Fault }
  | { kind: 'mend'; id: number }
  | { kind: 'kill'; functionName: string }
  | { kind: 'stop' };

/** A message from that process. */
export type HostReport = {
  kind: 'ready';
  baseUrl: string;
  /** Of the owner with the first key. */
  apiKey: string;
  /** A key of each other owner, with every scope. They are new after each start. */
  keys: Record<string, string>;
  functions: string[];
};
