import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `second run: ${name}`, edits };
}

const encode = 'functions/encode-chunk/app.ts';
const store = 'functions/encode-chunk/store-run.ts';
const second = 'functions/chunked/second-run.ts';

/** What two runs of a chunk task at the same time depend on, removed one at a time. */
export const secondRunMutants: readonly Mutant[] = [
  mutant('that the first result of a chunk stays', {
    file: store,
    find: 'await workFiles.createText(',
    replace: '!await workFiles.writeText(',
  }),
  mutant('that a late task is started again', {
    file: encode,
    find: 'isStraggler(plan.work, task.chunk, progress, job)',
    replace: 'job === undefined',
  }),
  mutant('that a run stops once another one is complete', {
    file: encode,
    find: 'if (isNowComplete && !wasComplete) return new SupersededError();',
    replace: '',
  }),
  mutant('that a chunk is complete only with its result', {
    file: encode,
    find: 'Math.min(99, percent)',
    replace: 'percent && 100',
  }),
  mutant('that files are removed if another run was first', {
    file: store,
    find: 'if (!isFirst) await removeFiles();',
    replace: '',
  }),
  mutant('that a run is sent once', {
    file: second,
    find: 'isStarted = true;',
    replace: '',
  }),
  mutant('that a second run starts no third one', {
    file: second,
    find: 'task.isSecondRun || ',
    replace: '',
  }),
  mutant('that the second run has a message group of its own', {
    file: 'core/jobs/message-groups.ts',
    find: 'Number(number) + 1',
    replace: 'Number(number)',
  }),
  mutant('that the second run answers for a failure of the first', {
    file: 'functions/chunked/run-task-message.ts',
    find: 'if (!secondRun?.isStarted()) await',
    replace: 'await',
  }),
  mutant('that the time of the second run counts', {
    file: 'core/jobs/progress.ts',
    find: 'isSecondRun ? ',
    replace: 'isSecondRun === null ? ',
  }),
];
