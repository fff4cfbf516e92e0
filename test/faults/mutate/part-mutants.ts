import type { Edit, Mutant } from './mutant.ts';

function mutant(name: string, ...edits: Edit[]): Mutant {
  return { name: `parts: ${name}`, edits };
}

const memory = 'core/jobs/parallel.ts';
const dynamo = 'adapters/dynamodb/part-update.ts';
const watch = 'functions/parts/watch-job.ts';
const encode = 'functions/encode-part/app.ts';
const join = 'functions/join-parts/app.ts';
const goBack = 'functions/join-parts/go-back.ts';

/** What the notes of parts, those who work on them and those who look after them check and clean up. */
export const partMutants: readonly Mutant[] = [
  mutant(
    'the lease of a note',
    { file: memory, find: ' || stored.leaseId !== leaseId', replace: '' },
    { file: dynamo, find: 'leaseId = :leaseId AND ', replace: '' },
  ),
  mutant(
    'that a note never falls',
    {
      file: memory,
      find: '(partProgress[part] ?? -1) >= percent',
      replace: '(partProgress[part] ?? -1) === percent',
    },
    { file: dynamo, find: ' < :percent', replace: ' <> :percent' },
  ),
  mutant(
    'that notes are counted',
    { file: memory, find: 'notes: notes + 1', replace: 'notes' },
    { file: dynamo, find: 'notes + :one', replace: 'notes' },
  ),
  mutant('that a part looks whose job it is', {
    file: watch,
    find: 'if (!isHeldBy(leaseId, stored)) return',
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
    find: 'if ((await workFiles.readText(keys.result)) !== undefined) return;',
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
      find: 'await workFiles.writeText(keys.result, JSON.stringify(result));',
      replace: 'await workFiles.writeText(keys.result, JSON.stringify(result));\n  await upload();',
    },
  ),
  mutant('that a lost part clears up', {
    file: encode,
    find: 'if (!isDone) await sweepWork(ports, task);',
    replace: '',
  }),
  mutant('that work of a job that goes on is kept', {
    file: 'functions/parts/sweep-work.ts',
    find: "job.state === 'deleted' || hasEnded(job)",
    replace: 'hasEnded(job) !== undefined',
  }),
  mutant('that a joiner clears up', { file: join, find: 'await sweepWork(ports, task);', replace: '' }),
  mutant('that an attempt in one piece clears up after parts', {
    file: 'functions/transcode/app.ts',
    find: 'job.attempt > 1) await sweepWork',
    replace: 'job.attempt > 9) await sweepWork',
  }),
  mutant('the comparison of what was joined with the plan', {
    file: 'functions/join-parts/judge-join.ts',
    find: 'if (flaw !== undefined) throw',
    replace: 'if (flaw === null) throw',
  }),
  mutant("that a completed job's files are no loser's", {
    file: join,
    find: 'if (wasCompletedBy(job, await ports.jobs.get(job)))',
    replace: 'if (wasCompletedBy(job, undefined))',
  }),
  mutant('that a joiner which lost its job removes its file', {
    file: join,
    find: '.removeAll(attemptPrefix(jobId, attempt))',
    replace: ".removeAll('jobs/nothing/')",
  }),
  mutant('that only the lease goes back to one piece', {
    file: goBack,
    find: 'if (!isHeldBy(task.leaseId, job))',
    replace: "if (job?.state !== 'processing')",
  }),
  mutant('the message of a job that goes back', {
    file: goBack,
    find: 'if (written) await queue.send(job);',
    replace: '',
  }),
  mutant('why a job goes back', {
    file: memory,
    find: 'onePieceBecause: because',
    replace: 'onePieceBecause: undefined',
  }),
  mutant('that a requeued job forgets its execution', {
    file: 'core/jobs/transitions.ts',
    find: 'estimatedEndAt, execution, partProgress, notes,',
    replace: 'estimatedEndAt,',
  }),
  mutant('that an execution is named before it is started', {
    file: 'functions/transcode/start-parts.ts',
    find: 'let result = await jobs.write(named);',
    replace: 'let result = { written: true } as Awaited<ReturnType<typeof jobs.write>>;',
  }),
  mutant('that a worker which lost its job starts nothing', {
    file: 'functions/transcode/start-parts.ts',
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
    file: 'lib/parallel-definition.ts',
    find: 'Catch: whateverFails,\n        Next',
    replace: 'Next',
  }),
];
