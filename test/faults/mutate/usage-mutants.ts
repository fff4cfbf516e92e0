import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string, from = ''): Mutant {
  return { name, edits: [{ file, from, find, replace }] };
}

const usageCounter = 'core/jobs/usage-counter.ts';
const updateCounter = 'core/jobs/update-counter.ts';
const deliver = 'functions/deliver-webhook/app.ts';
const uncountedDeletion = 'if (!isAdded) return addCost(next, record.usage);';

/** What makes a job count once in the usage of its owner, removed one at a time. */
export const usageMutants: readonly Mutant[] = [
  mutant(
    'that a usage counter keeps the names of its changes',
    usageCounter,
    'counter.latest.includes(name)) return undefined;',
    'counter.version < 0) return undefined;',
  ),
  mutant(
    'that a name is kept until its job is marked as counted',
    'core/jobs/counted-changes.ts',
    '(record !== undefined && demandsChange(record))',
    '(record === undefined && latest.length === 0)',
  ),
  mutant('that only what was added is subtracted', usageCounter, uncountedDeletion, ''),
  mutant(
    'that the deletion of an uncounted job is written',
    usageCounter,
    uncountedDeletion,
    uncountedDeletion.replace('addCost(next, record.usage)', 'undefined'),
  ),
  mutant(
    'that the cost of an uncounted job is added when it is deleted',
    usageCounter,
    uncountedDeletion,
    uncountedDeletion.replace('addCost(next, record.usage)', 'next'),
  ),
  mutant(
    'that a deletion is subtracted from the group of the job',
    usageCounter,
    "record.state === 'deleted' ? record.usage :",
    "record.state === 'deleted' ? undefined :",
  ),
  mutant(
    'that the worker of a delegated job is counted once',
    'core/jobs/function-use.ts',
    'isWorkerCounted(job) ? 0 : workerMsUntil(job, now)',
    'workerMsUntil(job, now)',
  ),
  mutant(
    'that the record of a job is read after its counter',
    updateCounter,
    'next(counter, record,',
    'next(await counters.read(ref), record,',
  ),
  mutant(
    'that a job is counted again after a conflict',
    updateCounter,
    '(await counters.write(ref, replacement))',
    '[await counters.write(ref, replacement)]',
  ),
  mutant(
    'that usage is counted before the delivery is settled',
    deliver,
    'if (job.usageCounted === false) await countUsage(deps, job);',
    'if (job.usageCounted === false) void countUsage(deps, job).catch(() => undefined);',
  ),
  mutant(
    'that usage is counted before the delivery is deferred',
    deliver,
    'await countUsageOnce(deps, job);',
    '',
    'mayAttempt(deps, input, {',
  ),
  mutant(
    'that reconcile subtracts a deleted job',
    'functions/reconcile/next-step.ts',
    'if (job.usage !== undefined) await countUsage(deps, job);',
    '',
  ),
];
