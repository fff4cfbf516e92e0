import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `steps: ${name}`, edits };
}

const transitions = 'core/jobs/execution-transitions.ts';
const stepOutputs = 'functions/worker/step-outputs.ts';
const storeStep = 'functions/join-chunks/store-step.ts';
const retryOrFail = 'functions/join-chunks/retry-or-fail.ts';

/** Checks of pipelines with steps in chunks, removed one at a time. */
export const stepMutants: readonly Mutant[] = [
  mutant('that the attempts until a completed step do not count', {
    file: transitions,
    from: 'export function requeueForNextStep',
    find: 'const { attempt: attempts, chunking } = job;',
    replace: 'const { chunking } = job;\n  const attempts = -9;',
  }),
  mutant('that only the lease holder requeues for the next step', {
    file: transitions,
    from: 'export function requeueForNextStep',
    find: 'return { ...change, job:',
    replace: "return { guard: { state: 'processing' as const }, job:",
  }),
  mutant('that a delegated job remembers the steps that its worker has run', {
    file: transitions,
    from: 'export function recordExecution',
    find: 'completedSteps: { ...steps, attempts: attempt - 1, chunking }',
    replace: 'completedSteps: job.completedSteps',
  }),
  mutant('the message of a job that goes on with its next step', {
    file: retryOrFail,
    from: 'export function requeueOrFailForNextStep',
    find: 'await deps.queue.send(job);',
    replace: '',
  }),
  mutant('that a join completes only the last step', {
    file: storeStep,
    find: 'return step === (request.steps?.length ?? 1) - 1;',
    replace: 'return step < (request.steps?.length ?? 1);',
  }),
  mutant('that the outputs of completed steps are delivered', {
    file: stepOutputs,
    find: 'if (files.length === 0) return [];',
    replace: 'if (files.length >= 0) return [];',
  }),
];
