import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `steps: ${name}`, edits };
}

const transitions = 'core/jobs/execution-transitions.ts';
const retryOrFail = 'functions/join-chunks/retry-or-fail.ts';
const joinStep = 'functions/join-chunks/store-step.ts';

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
  mutant('that a requeued job remembers its completed steps', {
    file: transitions,
    from: 'export function requeueForNextStep',
    find: 'completedSteps: { ...steps, attempts, chunking }',
    replace: 'completedSteps: undefined',
  }),
  mutant('that a delegated job remembers the steps that its worker has run', {
    file: transitions,
    from: 'export function recordExecution',
    find: 'completedSteps: { ...steps, attempts: attempt - 1, chunking }',
    replace: 'completedSteps: job.completedSteps',
  }),
  mutant('that the next step decides anew on chunks', {
    file: transitions,
    from: 'export function recordExecution',
    find: 'const { singlePassReason: _, ...rest } = delegated;',
    replace: 'const rest = delegated;',
  }),
  mutant('the message of a job that goes on with its next step', {
    file: retryOrFail,
    from: 'export function goOnWithNextStep',
    find: 'await deps.queue.send(job);',
    replace: '',
  }),
  mutant('that a step behind others reads their output', {
    file: 'functions/transcode/app.ts',
    find: 'const completed = await readStepOutputs(deps, context.job);',
    replace: 'const completed = undefined as Awaited<ReturnType<typeof readStepOutputs>>;',
  }),
  mutant('that a join completes only the last step', {
    file: joinStep,
    find: 'return step === (request.steps?.length ?? 1) - 1;',
    replace: 'return step < (request.steps?.length ?? 1);',
  }),
  mutant('that equal work of two steps has two plans', {
    file: 'functions/transcode/plan-chunked-work.ts',
    find: '    step: index,\n',
    replace: '    step: Math.min(index, 0),\n',
  }),
  mutant('that the outputs of completed steps are delivered', {
    file: 'functions/worker/step-outputs.ts',
    find: 'if (files.length === 0) return [];',
    replace: 'if (files.length >= 0) return [];',
  }),
];
