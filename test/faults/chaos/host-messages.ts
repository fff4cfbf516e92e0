import type { Fault } from '../../../local/emulators/traffic.ts';

/** What the process that runs the stage is told to do. */
export type HostCommand =
  | { kind: 'fail'; id: number; fault: Fault }
  | { kind: 'mend'; id: number }
  | { kind: 'kill'; functionName: string }
  | { kind: 'stop' };

/** What it tells. */
export type HostReport = { kind: 'ready'; baseUrl: string; apiKey: string; functions: string[] };
