import type { JobIn } from '../../../core/jobs/record.ts';
import type { JobStage } from '../../../core/jobs/states.ts';
import type { FunctionPorts } from '../../../core/worker/ports.ts';
import type { Attempt } from '../../../functions/transcode/attempt.ts';
import { workerContext } from './worker-ports.ts';

/** An attempt at a job that has come to this stage, without heartbeats. */
export function anAttempt(deps: FunctionPorts, job: JobIn<'processing'>, stage: JobStage): Attempt {
  const context = workerContext({ job });
  return {
    deps,
    context,
    lease: {
      signal: context.signal,
      report: () => undefined,
      markLong: () => undefined,
      stage: () => stage,
      release: async () => job,
    },
    longLimit: undefined,
    record: { inputs: [], runs: [], copies: [] },
    stopped: undefined,
    encodeChunks: undefined,
    limitCost: () => context,
    nameSource: () => context,
    stop: async () => job,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
