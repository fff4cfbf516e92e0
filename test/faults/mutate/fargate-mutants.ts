import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `Fargate: ${name}`, edits };
}

const transitions = 'core/jobs/fargate-transitions.ts';
const task = 'functions/fargate-task/app.ts';
const reconcile = 'functions/reconcile/reconcile-job.ts';

/** Guards of jobs that run as Fargate tasks, removed one at a time. */
export const fargateMutants: readonly Mutant[] = [
  mutant('that a task puts a lease of its own into the record', {
    file: transitions,
    find: '      leaseId,\n      fargateTask: {',
    replace: '      fargateTask: {',
  }),
  mutant('that a task takes a job over under the lease that it was started with', {
    file: task,
    find: 'while (holdsLease(leaseId, stored)) {',
    replace: "while (stored?.state === 'processing') {",
  }),
  mutant('that reconcile waits for a task that has not started', {
    file: reconcile,
    find: 'if (fargateTask === undefined || fargateTask.hasStarted) return false;',
    replace: 'if (fargateTask !== null) return false;',
  }),
  mutant('that reconcile requeues the job of a task that was killed', {
    file: reconcile,
    find: 'if (fargateTask === undefined || fargateTask.hasStarted) return false;',
    replace: 'if (fargateTask === undefined) return false;\n  if (fargateTask.hasStarted) return true;',
  }),
  mutant('that reconcile checks whether the execution of a task runs', {
    file: reconcile,
    find: 'return (await fargateStateMachine?.isRunning(fargateTask.execution)) ?? false;',
    replace: 'return true;',
  }),
  mutant('that the worker of a delegated job counts until its delegation only', {
    file: 'core/jobs/function-use.ts',
    find: '  if (job.fargateTask !== undefined) return withFargateTask(functionUse, job, now);\n',
    replace: '',
  }),
  mutant('that a task counts from its takeover', {
    file: transitions,
    find: '      claimedAt: at,\n',
    replace: '',
  }),
  mutant('that a task removes the work files of earlier attempts', {
    file: task,
    find: 'else if (job.attempt > 1) await removeWorkFiles(deps, job);',
    replace: '',
  }),
  mutant('that a cancel stops the execution of a task', {
    file: 'functions/api/app/cancel-job.ts',
    find: 'fargateTask && fargateStateMachine?.stop(fargateTask.execution),',
    replace: '',
  }),
];
