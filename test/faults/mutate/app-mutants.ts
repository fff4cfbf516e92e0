import type { Mutant } from './mutant.ts';

function mutant(name: string, file: string, find: string, replace: string, from = ''): Mutant {
  return { name, edits: [{ file, from, find, replace }] };
}

const lease = 'functions/worker/lease.ts';
const deliver = 'functions/deliver-webhook';

/** Checks, write-ahead records and clean-ups of the functions, removed one at a time. */
export const appMutants: readonly Mutant[] = [
  {
    name: 'the lease check of the worker',
    edits: [
      {
        file: lease,
        find: 'if (!holdsLease(claimed.leaseId, stored)) return',
        replace: 'if (!stored) return',
      },
      { file: lease, find: 'record = stored;', replace: 'record = stored as typeof claimed;' },
      {
        file: lease,
        find: 'else if (!holdsLease(claimed.leaseId, result.current))',
        replace: 'else if (!result)',
      },
    ],
  },
  mutant('the renewal of the lease', lease, ' || needsRenewal(record, now)) return true;', ') return true;'),
  mutant(
    'that the renewal of a lease moves its end',
    'core/jobs/transitions.ts',
    'needsRenewal(job, now) ? addMs(now, leaseMsOf(job)) : job.dueAt',
    'job.dueAt',
  ),
  mutant(
    'that deliveries to slow receivers are limited',
    `${deliver}/slow-receivers.ts`,
    'return mayBegin || attempt > 1;',
    'return mayBegin || attempt > 0;',
  ),
  mutant(
    "that a completed job's files are kept",
    'functions/transcode/attempt.ts',
    'end.written || wasCompletedByAttempt(job, end.current)',
    'end.written',
  ),
  mutant(
    'that the sweep removes files of superseded attempts',
    'functions/reconcile/next-step.ts',
    '(options) => deps.files.removeAll(jobPrefix(jobId), { ...kept, ...options }),',
    '',
  ),
  mutant('that a sweep is due', 'core/jobs/termination.ts', 'if (!leavesFiles ||', 'if (leavesFiles ||'),
  mutant(
    "that a sweep keeps the completed attempt's files",
    'functions/reconcile/next-step.ts',
    '? {} : { except }',
    '{}',
  ),
  mutant(
    'that a sweep keeps nothing in the bucket of a result at a storage provider',
    'core/jobs/kept-files.ts',
    'job.publication === undefined ? attemptPrefix(job.jobId, job.attempt) : undefined',
    'attemptPrefix(job.jobId, job.attempt)',
  ),
  mutant(
    'that a join completes the publication which another join has begun to publish',
    'functions/join-chunks/retry-or-fail.ts',
    'job.publishing !== undefined',
    'job.publishing === job.jobId',
  ),
  mutant(
    'that files which wait for a retry are kept when the write that fails the job is not answered',
    'functions/transcode/attempt.ts',
    'end.written || keepsFilesOf(job, end.current)',
    'end.written',
  ),
  mutant(
    'that an ended job keeps the files which wait for a retry',
    'core/jobs/kept-files.ts',
    'unpublished?.jobId === job.jobId',
    'unpublished === null',
  ),
  mutant(
    'the sweep of a deleted job',
    'functions/reconcile/next-step.ts',
    '(options) => deps.files.removeAll(jobPrefix(job.jobId), options),',
    '',
  ),
  mutant(
    'that the sweep removes the logs of a deleted job',
    'functions/reconcile/next-step.ts',
    '(options) => deps.logs.removeAll(job, options),',
    '',
  ),
  mutant(
    'the second sweep of a deleted job',
    'core/jobs/removal-transitions.ts',
    'return now.toISOString() < sweepAt;',
    'return now.toISOString() < sweepAt && false;',
  ),
  mutant(
    'the pending delivery of a terminal write',
    'core/jobs/termination.ts',
    'pendingDelivery: { id: deliveryId, starts: 0, redelivery: false },',
    '',
  ),
  mutant(
    'the dueAt of a terminal write',
    'core/jobs/termination.ts',
    'dueAt: nextDueAt(job, { now, minMs: minDeliveryStartMs, usualMs: deliveryStartMs }),',
    '',
  ),
  mutant(
    'the dueAt of a new job',
    'core/jobs/transitions.ts',
    'dueAt: addMs(now, durations.resendAfterMs),',
    'dueAt: undefined as never,',
    'export function create(',
  ),
  mutant(
    'the dueAt of a claim',
    'core/jobs/transitions.ts',
    'dueAt: nextDueAt(job, { now, minMs: durations.leaseMs / 2, usualMs: durations.leaseMs }),',
    'dueAt: undefined as never,',
    'export function claim(',
  ),
  mutant(
    'that a claim and an end keep a first check only while it comes in time',
    'core/jobs/due-work.ts',
    'isFirstCheck(job) && job.dueAt >= addMs(now, minMs)',
    'isFirstCheck(job)',
  ),
  mutant(
    'that a claim and an end keep a first check only',
    'core/jobs/due-work.ts',
    'isFirstCheck(job) && job.dueAt >= addMs(now, minMs)',
    'job.dueAt >= addMs(now, minMs)',
  ),
  mutant(
    'the dueAt of a requeued job',
    'core/jobs/transitions.ts',
    'dueAt: addMs(now, durations.resendAfterMs),',
    'dueAt: undefined as never,',
    'export function requeue(',
  ),
  mutant(
    'that reconcile checks the record, not only the index',
    'functions/reconcile/app.ts',
    'return dueAt !== undefined && dueAt <= clock.now().toISOString();',
    'return dueAt !== undefined && clock !== undefined;',
  ),
  mutant(
    'the maximum of attempts of a job',
    'core/jobs/transitions.ts',
    'countedAttempts(job) < maxAttempts',
    'countedAttempts(job) < 99',
  ),
  mutant(
    'the message of a requeued job and its resend',
    'functions/reconcile/next-step.ts',
    'await deps.queue.send(job);',
    '',
  ),
  mutant(
    'that a delivery is the pending one',
    `${deliver}/app.ts`,
    'return job !== undefined && isTerminal(job) && job.pendingDelivery?.id === deliveryId;',
    'return job !== undefined && isTerminal(job) && deliveryId !== undefined;',
  ),
  mutant(
    'that an attempt is recorded before its POST',
    `${deliver}/attempt.ts`,
    'await journal.open(attempt)',
    '({ written: true } as Awaited<ReturnType<typeof journal.open>>)',
  ),
  mutant(
    'that only its writer posts an attempt',
    `${deliver}/attempt.ts`,
    'if (!opened.written) return opened.current && { attempt: opened.current, isRecorded: true };',
    '',
  ),
  mutant(
    'that a lost attempt is closed before the next',
    `${deliver}/attempt.ts`,
    'if (attempt === undefined || attempt.outcome !== undefined) return attempt;',
    'return attempt;',
  ),
  mutant(
    'that a recorded 2xx ends a delivery',
    `${deliver}/app.ts`,
    'if (previous?.outcome?.delivered === true)',
    'if (previous?.outcome?.delivered === undefined && !previous)',
  ),
  mutant(
    'that a 2xx is recorded in a job only if reconcile has not moved it',
    'core/jobs/delivery-transitions.ts',
    'guard: { deliveryId, dueAt: job.dueAt ?? null },\n    job: { ...settled.job, deliveredAttempt },',
    'guard: { deliveryId },\n    job: { ...settled.job, deliveredAttempt },',
  ),
  mutant(
    'that a 2xx of a moved job is recorded by the journal',
    `${deliver}/app.ts`,
    'const closed = await deps.journal.close(attempt);',
    'const closed = { written: true };',
  ),
  mutant(
    'the maximum of attempts of a delivery',
    `${deliver}/app.ts`,
    'if (input.attempt > deps.delaysMs.length)',
    'if (input.attempt > 9)',
  ),
  mutant(
    'the wait before a retry',
    `${deliver}/attempt.ts`,
    'await clock.sleep(input.notBefore - clock.now().getTime());',
    '',
  ),
  mutant(
    'that only an early attempt leaves the dueAt as it is',
    'core/jobs/delivery-transitions.ts',
    'return addMs(now, durations.maxAttemptMs + nextDelayMs) <= dueAt;',
    'return addMs(now, durations.maxAttemptMs + nextDelayMs) > dueAt;',
  ),
  mutant(
    'that a delivery is resumed after the last attempt',
    'functions/reconcile/next-step.ts',
    '(attempts.at(-1)?.attempt ?? 0) + 1',
    '1',
  ),
  mutant(
    'that each start has a unique name',
    'core/jobs/delivery-transitions.ts',
    'starts: starts + 1',
    'starts',
  ),
  mutant(
    'that a delivery which never began is sent again',
    'functions/reconcile/next-step.ts',
    'if (attempt === 1) await startDelivery(deps, change.job);\n  else await',
    'if (attempt > 1) await',
  ),
  mutant(
    'that a failed first attempt starts the execution of the others',
    `${deliver}/app.ts`,
    'await deps.retries.start({',
    'await Promise.resolve({',
  ),
  mutant(
    'that the event is published once',
    `${deliver}/app.ts`,
    'if (!result.written || result.isRepeat) return',
    'if (!result.written) return',
  ),
  mutant(
    'that the event is published',
    `${deliver}/app.ts`,
    'if (!isRedelivery) await deps.eventBus',
    'if (isRedelivery) await deps.eventBus',
  ),
  mutant(
    'the end of a resumed delivery',
    'functions/reconcile/next-step.ts',
    'if (job.pendingDelivery !== undefined) return resumePendingDelivery',
    'if (job.pendingDelivery === null) return resumePendingDelivery',
  ),
  mutant(
    'that a job that fails is postponed',
    'functions/reconcile/app.ts',
    'if (job !== undefined) await postponeJob(deps, job);',
    '',
  ),
  mutant(
    'that failed jobs do not count',
    'functions/reconcile/app.ts',
    'else if (!unmeteredSteps.has(step)) metered += 1;',
    "if (!unmeteredSteps.has(step ?? 'swept')) metered += 1;",
  ),
  mutant(
    'that an idempotency key keeps its first job',
    'functions/api/app/submit-job.ts',
    'jobId: reservation.jobId',
    'jobId: requested.jobId',
  ),
  mutant(
    'the message of a new job',
    'functions/api/app/submit-job.ts',
    'await queue.send(job);',
    'void queue;',
  ),
];
