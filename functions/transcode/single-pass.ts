import type { TranscodeDeps, WorkerContext } from '../worker/worker-deps.ts';
import { requireThisWorker, type SinglePassWork } from './choose-single-pass-worker.ts';

type StepsOfPass = Omit<SinglePassWork, 'from'> & {
  /** The number of the first step of the pass, and the one behind its last. */
  index: number;
  to: number;
};

/**
 * Requires that this worker is to take steps in a single pass. Another worker would go on to the end of the job, so a large
 * function, which has no more time, does not take steps in front of one in chunks.
 * @throws OtherWorkerError if another worker is to process the job
 * @throws JobError `INPUT_TOO_LONG` or `INPUT_TOO_LARGE` if none can end it
 */
export function requireFittingPass(
  deps: TranscodeDeps,
  context: WorkerContext,
  { index: from, to, ...pass }: StepsOfPass,
): void {
  const isRest = to === pass.steps.length;
  const otherWorkers = deps.otherWorkers.filter(({ name }) => isRest || name === 'fargate');
  requireThisWorker({ ...deps, otherWorkers }, context, { ...pass, from });
}
