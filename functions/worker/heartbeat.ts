import { durations } from '../../core/jobs/durations.ts';
import type { Clock } from '../../core/jobs/ports.ts';

/** The reason of an aborted signal: the job was cancelled, or another worker holds its lease. */
export class LeaseLostError extends Error {
  constructor(jobId: string, cause?: unknown) {
    super(`This worker no longer holds the lease of job ${jobId}`, { cause });
    this.name = 'LeaseLostError';
  }
}

export type Heartbeat = {
  /** Aborts with `LeaseLostError` once `lose` was called. */
  signal: AbortSignal;
  lose(cause?: unknown): void;
  /** Starts no further beat; resolves when the current one has ended. */
  stop(): Promise<void>;
};

type HeartbeatOptions = {
  clock: Clock;
  jobId: string;
  beat: (heartbeat: Heartbeat) => Promise<void>;
  /** Receives the error of a failed beat, such as a time-out of DynamoDB. The next beat follows in any case. */
  onError: (cause: unknown, heartbeat: Heartbeat) => void;
};

/** Calls `beat` every 2 s, one at a time, until the heartbeat is stopped or the lease is lost. */
export function startHeartbeat({ clock, jobId, beat, onError }: HeartbeatOptions): Heartbeat {
  const lost = new AbortController();
  const stopped = new AbortController();
  const run = async () => {
    while (!stopped.signal.aborted && !lost.signal.aborted) {
      await clock.sleep(durations.heartbeatMs, stopped.signal);
      if (stopped.signal.aborted) return;
      await beat(heartbeat).catch((cause: unknown) => onError(cause, heartbeat));
    }
  };
  const heartbeat: Heartbeat = {
    signal: lost.signal,
    lose: (cause) => lost.abort(new LeaseLostError(jobId, cause)),
    async stop() {
      stopped.abort();
      await running;
    },
  };
  const running = run();
  return heartbeat;
}
