import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `other workers: ${name}`, edits };
}

const transitions = 'core/jobs/delegation-transitions.ts';
const task = 'functions/transcode/process-delegated-job.ts';
const reconcile = 'functions/reconcile/next-step.ts';

/** Guards of jobs that run as Fargate tasks, removed one at a time. */
export const otherWorkerMutants: readonly Mutant[] = [
  mutant('that a task puts a lease of its own into the record', {
    file: transitions,
    find: '      leaseId,\n      delegation,',
    replace: '      delegation,',
  }),
  mutant('that a task takes a job over under the lease that it was started with', {
    file: task,
    find: 'if (!holdsLease(leaseId, stored)) return undefined;',
    replace: "if (stored?.state !== 'processing') return undefined;",
  }),
  mutant('that reconcile waits for a task that has not started', {
    file: reconcile,
    find: 'if (delegation === undefined || delegation.hasStarted) return false;',
    replace: 'if (delegation !== null) return false;',
  }),
  mutant('that reconcile requeues the job of a task that was killed', {
    file: reconcile,
    find: 'if (delegation === undefined || delegation.hasStarted) return false;',
    replace: 'if (delegation === undefined) return false;\n  if (delegation.hasStarted) return true;',
  }),
  mutant('that reconcile checks whether the execution of a task runs', {
    file: reconcile,
    find: 'return fargateMachine === undefined ? false : fargateMachine.isRunning(delegation.execution);',
    replace: 'return true;',
  }),
  mutant('that the worker of a delegated job counts until its delegation only', {
    file: 'core/jobs/function-use.ts',
    find: '  if (job.delegation !== undefined) return withDelegation(functionUse, job, now);\n',
    replace: '',
  }),
  mutant('that a task counts from its takeover', {
    file: transitions,
    find: '      claimedAt: at,\n',
    replace: '',
  }),
  mutant('that a cancel stops the execution of a task', {
    file: 'functions/api/app/cancel-job.ts',
    find: 'delegation && fargateMachine?.stop(delegation.execution),',
    replace: '',
  }),
];
