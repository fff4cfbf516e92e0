import type { ReconcileJobDeps } from './next-step.ts';

type Machines = Pick<ReconcileJobDeps, 'parallel' | 'otherWorkerMachines'>;

/**
 * The checks of executions by one run. After a throttled one the rest are undefined without a call: each call would wait
 * for the retries of the SDK.
 */
export function checksOfRun({ parallel, otherWorkerMachines: { large, fargate } }: Machines): Machines {
  let isThrottled = false;
  const ofRun = (machine: Machines['parallel']): Machines['parallel'] => ({
    async isRunning(name) {
      if (isThrottled) return undefined;
      const isRunning = await machine.isRunning(name);
      isThrottled ||= isRunning === undefined;
      return isRunning;
    },
  });
  return {
    parallel: ofRun(parallel),
    otherWorkerMachines: {
      ...(large && { large: ofRun(large) }),
      ...(fargate && { fargate: ofRun(fargate) }),
    },
  };
}
