import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, find, replace }] };
}

/** What keeps long jobs from taking the workers of short ones, removed one at a time. */
export const laneMutants: readonly Mutant[] = [
  mutant(
    'that a waiting long job needs a permit',
    'functions/transcode/claim-job.ts',
    "if (isLong && !(await enterLongLane(deps, slot, { shortWaits }))) return 'no-permit';",
    '',
  ),
  mutant(
    'that a job that is long by its probe needs a permit',
    'functions/transcode/process-steps.ts',
    'await context.expectSeconds(expectedSeconds(cost, deps.processors));',
    '',
  ),
  mutant(
    'that a job that takes longer than expected needs a permit',
    'functions/transcode/lane-of-job.ts',
    'if (!stopped.signal.aborted) await becomeLong();',
    '',
  ),
  mutant(
    'that a claimed long job keeps its permit',
    'functions/transcode/lane-of-job.ts',
    'entering ??= job.lane === longLane ? Promise.resolve() : enter();',
    'entering ??= job.lane === longLane ? Promise.reject(full.abort(new LongLaneFullError(job.jobId))) : enter();',
  ),
  mutant(
    'that the end of an attempt frees its permit',
    'functions/terminate-job/free-slots.ts',
    "if (job.state === 'queued' || ('lane' in job && job.lane === longLane)) {",
    "if (job.state === 'queued') {",
  ),
  mutant(
    'that a freed permit wakes a worker',
    'functions/long-lane/permits.ts',
    'if (next !== undefined) await deps.queue.send(next);',
    '',
  ),
  mutant(
    'that a worker that has lost its job frees its permit',
    'functions/transcode/app.ts',
    "if (result === 'lost' && job.lane === longLane)",
    'if (false)',
  ),
  mutant(
    'that a long job gets a message once the index lists it',
    'functions/transcode/app.ts',
    'delaySeconds: maxIndexLagSeconds',
    'delaySeconds: Number.POSITIVE_INFINITY',
  ),
  mutant(
    'that short jobs leave idle workers to long ones on a small stage',
    'core/jobs/lanes.ts',
    'return shortWaits ? Math.max(1, workers - 1) : workers;',
    'return Math.max(1, workers - 1);',
  ),
  mutant(
    'that an attempt that found that its job is long does not count',
    'core/jobs/transitions.ts',
    'attempt - (hasWaitedForPermit ? 1 : 0)',
    'attempt + (hasWaitedForPermit ? 9 : 0)',
  ),
  mutant(
    'that a group has a bounded number of permits',
    'core/permits.ts',
    'if (others.length >= max) return undefined;',
    '',
  ),
  mutant('that a permit expires', 'core/permits.ts', ' && end > now.getTime()', ''),
  mutant(
    'that waiting long jobs have a line of their own',
    'adapters/dynamodb/job-item.ts',
    'waitingPartition: waitingPartition(lineOf(job))',
    'waitingPartition: waitingPartition()',
  ),
];
