import type { ReconcileJobDeps } from './reconcile-job.ts';

type Machines = Pick<ReconcileJobDeps, 'parallel' | 'fargateMachine'>;

/**
 * The checks of executions by one run. After a throttled one the rest are undefined without a call: each call would wait
 * for the retries of the SDK.
 */
export function checksOfRun({ parallel, fargateMachine }: Machines): Machines {
  let isThrottled = false;
  const ofRun = (machine: Machines['parallel']): Machines['parallel'] => ({
    async isRunning(name) {
      if (isThrottled) return undefined;
      const isRunning = await machine.isRunning(name);
      isThrottled ||= isRunning === undefined;
      return isRunning;
    },
  });
  return { parallel: ofRun(parallel), fargateMachine: fargateMachine && ofRun(fargateMachine) };
}
