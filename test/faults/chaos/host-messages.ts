import type { Fault } from '../../../local/emulators/traffic.ts';

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
  /** Of another owner. It is new after each start. */
  hostileKey: string;
  functions: string[];
};
