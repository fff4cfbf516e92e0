import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `parts: ${name}`, edits };
}

const memory = 'core/jobs/execution-transitions.ts';
const dynamo = 'adapters/dynamodb/job-table.ts';
const watch = 'functions/chunked/watch-job.ts';
const encode = 'functions/encode-chunk/app.ts';
const join = 'functions/join-chunks/app.ts';
const goBack = 'functions/join-chunks/retry-or-fail.ts';

/** What the notes of parts, those who work on them and those who look after them check and clean up. */
export const chunkMutants: readonly Mutant[] = [
  mutant(
    'the lease of a note',
    { file: memory, find: ' || stored.leaseId !== leaseId', replace: '' },
    { file: dynamo, find: 'leaseId = :leaseId AND ', replace: '' },
  ),
  mutant(
    'that a note never falls',
    {
      file: memory,
      find: '(chunkProgress[chunk] ?? -1) >= percent',
      replace: '(chunkProgress[chunk] ?? -1) === percent',
    },
    { file: dynamo, find: ' < :percent', replace: ' <> :percent' },
  ),
  mutant(
    'that notes are counted',
    { file: memory, find: 'progressVersion: progressVersion + 1', replace: 'progressVersion' },
    { file: dynamo, find: 'progressVersion + :one', replace: 'progressVersion' },
  ),
  mutant('that a part looks whose job it is', {
    file: watch,
    find: 'if (!holdsLease(leaseId, stored)) return',
    replace: 'if (stored?.state === undefined) return',
  }),
  mutant('that a refused note ends a part', {
    file: watch,
    find: "=== 'lost'",
    replace: "=== ('' as string)",
  }),
  mutant('the end of the watch of a part', { file: encode, find: 'await watch.end();', replace: '' }),
  mutant('the end of the watch of a join', { file: join, find: '.finally(() => watch.end())', replace: '' }),
  mutant('that a finished part is left as it is', {
    file: encode,
    find: 'if ((await workFiles.readText(keys.resultKey)) !== undefined) return;',
    replace: '',
  }),
  mutant(
    'that the file of a part lies there before its result',
    {
      file: encode,
      find: 'await files.upload({ path',
      replace: 'const upload = () => files.upload({ path',
    },
    {
      file: encode,
      find: 'await workFiles.writeText(keys.resultKey, JSON.stringify(result));',
      replace: 'await workFiles.writeText(keys.resultKey, JSON.stringify(result));\n  await upload();',
    },
  ),
  mutant('that a lost part clears up', {
    file: encode,
    find: 'if (!isDone) await removeWorkFiles(ports, task);',
    replace: '',
  }),
  mutant('that work of a job that goes on is kept', {
    file: 'functions/chunked/remove-work-files.ts',
    find: "job.state === 'deleted' || isTerminal(job)",
    replace: 'isTerminal(job) !== undefined',
  }),
  mutant('that a joiner clears up', { file: join, find: 'await removeWorkFiles(ports, task);', replace: '' }),
  mutant('that an attempt in one piece clears up after parts', {
    file: 'functions/transcode/app.ts',
    find: 'job.attempt > 1) await removeWorkFiles',
    replace: 'job.attempt > 9) await removeWorkFiles',
  }),
  mutant('the comparison of what was joined with the plan', {
    file: 'functions/join-chunks/verify-join.ts',
    find: 'if (flaw !== undefined) throw',
    replace: 'if (flaw === null) throw',
  }),
  mutant("that a completed job's files are no loser's", {
    file: join,
    find: 'if (wasCompletedByAttempt(job, await ports.jobs.get(job)))',
    replace: 'if (wasCompletedByAttempt(job, undefined))',
  }),
  mutant('that a joiner which lost its job removes its file', {
    file: join,
    find: '.removeAll(attemptPrefix(jobId, attempt))',
    replace: ".removeAll('jobs/nothing/')",
  }),
  mutant('that only the lease goes back to one piece', {
    file: goBack,
    find: 'if (!holdsLease(task.leaseId, job))',
    replace: "if (job?.state !== 'processing')",
  }),
  mutant('the message of a job that goes back', {
    file: goBack,
    find: 'if (written) await queue.send(job);',
    replace: '',
  }),
  mutant('why a job goes back', {
    file: memory,
    find: 'singlePassReason: because',
    replace: 'singlePassReason: undefined',
  }),
  mutant('that a requeued job forgets its execution', {
    file: 'core/jobs/transitions.ts',
    find: 'estimatedEndAt, execution, chunkProgress, progressVersion,',
    replace: 'estimatedEndAt,',
  }),
  mutant('that an execution is named before it is started', {
    file: 'functions/transcode/start-execution.ts',
    find: 'let result = await jobs.write(named);',
    replace: 'let result = { written: true } as Awaited<ReturnType<typeof jobs.write>>;',
  }),
  mutant('that a worker which lost its job starts nothing', {
    file: 'functions/transcode/start-execution.ts',
    find: "if (!result.written) return 'lost';",
    replace: '',
  }),
  mutant('that parts are awaited while their execution runs', {
    file: 'functions/reconcile/unfinished.ts',
    find: 'job.execution !== undefined && (await',
    replace: 'job.execution === null && (await',
  }),
  mutant('that an execution must run to be awaited', {
    ...{
      file: 'functions/reconcile/unfinished.ts',
      find: '(await ports.parallel.isRunning(job.execution.name))',
    },
    replace: 'job.execution.name !== undefined',
  }),
  mutant('that a cancel stops the execution', {
    file: 'functions/api/app/cancel-job.ts',
    find: 'await stopParts(ports, unfinished);',
    replace: '',
  }),
  mutant('that work is swept with the losers', {
    file: 'functions/reconcile/sweep.ts',
    find: 'await ports.files.removeAll(workPrefix(job.jobId));',
    replace: '',
  }),
  mutant('that work of what was deleted is swept', {
    file: 'functions/reconcile/sweep.ts',
    from: 'export async function sweepDeleted(',
    find: 'await ports.files.removeAll(workPrefix(job.jobId));',
    replace: '',
  }),
  mutant('that parts may be written long after the claim', {
    ...{
      file: 'core/jobs/transitions.ts',
      find: "if (job.state === 'processing' && job.execution !== undefined) {",
    },
    replace: 'if (job.state === null) {',
  }),
  mutant('that the joiner is told of a part that failed', {
    file: 'lib/state-machines/parallel-transcode.ts',
    find: 'Catch: whateverFails,\n        Next',
    replace: 'Next',
  }),
];
