import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `chunks: ${name}`, edits };
}

const progress = 'core/jobs/progress.ts';
const jobTable = 'adapters/dynamodb/job-table.ts';
const watch = 'functions/chunked/watch-job.ts';
const taskProgress = 'functions/chunked/task-progress.ts';
const store = 'functions/encode-chunk/store-run.ts';
const encode = 'functions/encode-chunk/app.ts';
const join = 'functions/join-chunks/app.ts';
const answer = 'functions/chunked/run-task-message.ts';
const retryOrFail = 'functions/join-chunks/retry-or-fail.ts';

/** Checks and clean-ups of chunk progress, chunk tasks, joins and their executions, removed one at a time. */
export const chunkMutants: readonly Mutant[] = [
  mutant(
    'the lease of a progress write',
    { file: progress, find: ' || stored.leaseId !== leaseId', replace: '' },
    { file: jobTable, find: 'leaseId = :leaseId AND ', replace: '' },
  ),
  mutant(
    'that chunk progress never falls',
    { file: progress, find: '(chunkProgress[chunk] ?? 0) > percent || ', replace: '' },
    { file: jobTable, find: ' <= :percent', replace: ' <> :leaseId' },
    { file: taskProgress, find: 'percent: job.chunkProgress?.[chunk] ?? 0, ms', replace: 'percent: 0, ms' },
  ),
  mutant(
    'that progress writes count up the version',
    { file: progress, find: 'progressVersion: progressVersion + 1', replace: 'progressVersion' },
    { file: jobTable, find: 'progressVersion + :one', replace: 'progressVersion' },
  ),
  mutant('that a chunk task checks the lease', {
    file: watch,
    find: 'if (!holdsLease(leaseId, stored)) return',
    replace: 'if (stored?.state === undefined) return',
  }),
  mutant('that a rejected progress write ends a chunk task', {
    file: watch,
    find: "=== 'lost'",
    replace: "=== ('' as string)",
  }),
  mutant('the end of the watch of a chunk task', {
    file: encode,
    find: 'await watch.end();',
    replace: '',
  }),
  mutant('the end of the job watch of a join', {
    file: join,
    find: '.finally(() => watch.end())',
    replace: '',
  }),
  mutant('that a finished chunk is not encoded again', {
    file: encode,
    find: 'if ((await workFiles.readText(keys.resultKey)) !== undefined) return;',
    replace: '',
  }),
  mutant(
    'that the file of a chunk is stored before its result',
    {
      file: store,
      find: 'await files.upload({ key, path',
      replace: 'later = () => files.upload({ key, path',
    },
    { file: store, find: '  try {', replace: '  let later = async (): Promise<void> => undefined;\n  try {' },
    { file: store, find: '  if (!isFirst)', replace: '  await later();\n  if (!isFirst)' },
  ),
  mutant('that a running task keeps its message hidden', {
    file: answer,
    find: 'await queue.hide(receiptHandle, hiddenSeconds)',
    replace: 'await Promise.resolve()',
  }),
  mutant('that the message of a running task is renewed', {
    file: answer,
    find: 'while (!ended.aborted) {',
    replace: 'if (!ended.aborted) {',
  }),
  mutant('that a task whose function has died is given up', {
    file: answer,
    find: 'if (receiveCount > maxReceives) {',
    replace: 'if (receiveCount > 1e6) {',
  }),
  mutant('that a lost task is answered', {
    file: answer,
    find: "await callbacks.fail(taskToken, { name: 'TaskLost', message });",
    replace: '',
  }),
  mutant('that a failed task is answered', {
    file: answer,
    find: 'await callbacks.fail(taskToken, { name, message });',
    replace: '',
  }),
  mutant('that the message of a failed task is removed', {
    file: answer,
    find: 'await queue.remove(receiptHandle);',
    replace: '',
  }),
  mutant('that a done task is answered', {
    file: answer,
    find: 'await callbacks.succeed(taskToken);',
    replace: '',
  }),
  mutant('that a lost chunk task removes work files', {
    file: encode,
    find: 'if (!isDone) await removeWorkFiles(deps, task);',
    replace: '',
  }),
  mutant('that work files of an unfinished job are kept', {
    file: 'functions/chunked/cleanup.ts',
    find: "job.state === 'deleted' || isTerminal(job)",
    replace: 'isTerminal(job) !== undefined',
  }),
  mutant('that a join removes work files', {
    file: join,
    find: 'await removeWorkFiles(deps, task);',
    replace: '',
  }),
  mutant('that a single-pass attempt removes work files', {
    file: 'functions/transcode/attempt.ts',
    find: 'job.attempt > 1) await removeWorkFiles',
    replace: 'job.attempt > 9) await removeWorkFiles',
  }),
  mutant('the verification of the joined file', {
    file: 'functions/join-chunks/join.ts',
    find: 'if (defect !== undefined) throw',
    replace: 'if (defect === null) throw',
  }),
  mutant("that a completed job's files are kept", {
    file: join,
    find: 'if (keepsFilesOf(job, current))',
    replace: 'if (keepsFilesOf(job, undefined))',
  }),
  mutant('that a join that lost its job removes its file', {
    file: join,
    find: '.removeAll(attemptPrefix(jobId, attempt))',
    replace: ".removeAll('jobs/nothing/')",
  }),
  mutant('that only the lease holder requeues for a single pass', {
    file: retryOrFail,
    find: 'if (!holdsLease(task.leaseId, job))',
    replace: "if (job?.state !== 'processing')",
  }),
  mutant('the message of a requeued job', {
    file: retryOrFail,
    find: 'if (written) await queue.send(job);',
    replace: '',
  }),
  mutant('the reason for a single pass', {
    file: 'core/jobs/execution-transitions.ts',
    find: 'singlePassReason: reason',
    replace: 'singlePassReason: undefined',
  }),
  mutant('that a requeued job forgets its execution', {
    file: 'core/jobs/transitions.ts',
    find: '    execution,\n    delegation,\n    chunkProgress,\n    taskMs,\n    taskBeats,\n    progressVersion,\n',
    replace: '    delegation,\n',
  }),
  mutant('that an execution is recorded before it is started', {
    file: 'functions/transcode/delegate-job.ts',
    find: 'let result = await jobs.write(change);',
    replace: 'let result = { written: true } as Awaited<ReturnType<typeof jobs.write>>;',
  }),
  mutant('that a worker that lost its job starts no execution', {
    file: 'functions/transcode/delegate-job.ts',
    find: "if (!result.written) return 'lost';",
    replace: '',
  }),
  mutant('that reconcile leaves a running execution alone', {
    file: 'functions/reconcile/next-step.ts',
    find: 'if (execution !== undefined) return parallel',
    replace: 'if (execution?.name === String(null)) return parallel',
  }),
  mutant('that reconcile checks whether the execution runs', {
    file: 'functions/reconcile/next-step.ts',
    find: 'return parallel.isRunning(execution.name);',
    replace: 'return execution.name !== undefined;',
  }),
  mutant('that a cancel stops the execution', {
    file: 'functions/api/app/cancel-job.ts',
    find: 'await stopExecution(deps, unfinished);',
    replace: '',
  }),
  mutant('that work files are swept', {
    file: 'functions/reconcile/next-step.ts',
    find: '(options) => deps.files.removeAll(workPrefix(jobId), options),',
    replace: '',
  }),
  mutant('that work files of a deleted job are swept', {
    file: 'functions/reconcile/next-step.ts',
    from: 'function sweepDeleted(',
    find: '(options) => deps.files.removeAll(workPrefix(job.jobId), options),',
    replace: '',
  }),
  mutant('that the copy of a source is swept', {
    file: 'core/jobs/termination.ts',
    find: 'leavesFiles || leavesCopy',
    replace: 'leavesFiles',
  }),
  mutant('that the sweep allows for late chunk tasks', {
    file: 'core/jobs/termination.ts',
    find: "if (job.state === 'processing' && (job.execution ?? job.delegation) !== undefined) {",
    replace: 'if (job.state === null) {',
  }),
  mutant('that the join runs after a failed chunk task', {
    file: 'lib/state-machines/parallel-transcode.ts',
    find: 'Catch: onAnyFailure,\n  };',
    replace: '};',
  }),
];
