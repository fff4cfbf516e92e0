import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, find, replace }] };
}

/** What decides which job is claimed, and how many run at the same time, removed one at a time. */
export const claimMutants: readonly Mutant[] = [
  mutant(
    'that only a queued job is claimed',
    'functions/transcode/claim-job.ts',
    "found?.state !== 'queued'",
    "found === undefined || found.state === 'deleted'",
  ),
  mutant(
    'that a claim needs a slot',
    'functions/transcode/claim-job.ts',
    "if (taken !== 'taken') {",
    "if (taken === 'beyond-share') {",
  ),
  mutant(
    'that a claim takes its slot',
    'functions/transcode/claim-job.ts',
    "if (await slots.take(slot, limits)) return 'taken';",
    "if (limits.max > 1) return 'taken';",
  ),
  mutant(
    'that an owner has a share of the workers while others wait',
    'functions/transcode/claim-job.ts',
    'limitToShare ? { maxWorkers: workersOfOwner(workers) } : {}',
    'limitToShare && newId === undefined ? { maxWorkers: workersOfOwner(workers) } : {}',
  ),
  mutant(
    'that a message is sent again while its job waits',
    'functions/transcode/claim-job.ts',
    'if (!own.isTried) await sendAgain(deps, message, claimed);',
    '',
  ),
  mutant(
    'that slots of ended attempts are freed for a claim',
    'functions/transcode/claim-job.ts',
    'if (await freeVoidSlots(deps, slot)) continue;',
    '',
  ),
  mutant(
    'that the slot of a job about to be claimed is kept',
    'core/jobs/slots.ts',
    'return record.attempt >= attempt;',
    'return record.attempt + 1 >= attempt;',
  ),
  mutant(
    'that the slot of a running job is kept',
    'core/jobs/slots.ts',
    "record?.state !== 'processing' || record.attempt > attempt",
    "record?.state !== 'processing' || record.attempt >= attempt",
  ),
  mutant(
    'that the end of an attempt frees its slot',
    'functions/terminate-job/free-slots.ts',
    'if (result.written) await freeSlot(jobs, deps, change);',
    '',
  ),
  mutant(
    'that a slot is freed only with its attempt',
    'core/jobs/slots.ts',
    "if (!wasProcessing || job.state === 'processing' ||",
    'if (!wasProcessing ||',
  ),
  mutant(
    'that a freed slot wakes a worker',
    'functions/terminate-job/free-slots.ts',
    'if (oldest !== undefined) await queue.send(oldest);',
    '',
  ),
];
