import type { Mutant } from './mutant.ts';

const parallel = 'core/jobs/execution-transitions.ts';
const transitions = 'core/jobs/transitions.ts';
const termination = 'core/jobs/termination.ts';
const deliveryTransitions = 'core/jobs/delivery-transitions.ts';
const removalTransitions = 'core/jobs/removal-transitions.ts';

/** Removes one term from the guard of a transition. */
function guard(name: string, file: string, transition: string, find: string, replace: string): Mutant {
  return { name, edits: [{ file, from: `export function ${transition}(`, find, replace }] };
}

/** Removes the last write of the worker from the guard of the transitions that read its record. */
const lastWrite: readonly Mutant[] = [
  guard(
    'heartbeat: the last write of the worker',
    transitions,
    'heartbeat',
    'leaseGuard(job)',
    '{ leaseId: job.leaseId, dueAt: job.dueAt }',
  ),
  guard(
    'cancel and requeue: the last write of the worker',
    transitions,
    'versionGuard',
    '{ state, dueAt, updatedAt,',
    '{ state, dueAt,',
  ),
];

const versionedTransitions = [
  ...['claim', 'resend', 'requeue'].map((transition) => ({ transition, file: transitions })),
  ...['abandon', 'cancel'].map((transition) => ({ transition, file: termination })),
];

const versioned = versionedTransitions.flatMap(({ transition, file }) => [
  guard(
    `${transition}: the dueAt that was read`,
    file,
    transition,
    'versionGuard(job)',
    '{ state: job.state }',
  ),
  guard(
    `${transition}: the state that was read`,
    file,
    transition,
    'versionGuard(job)',
    '{ dueAt: job.dueAt } as unknown as Guard',
  ),
]);

/** Every condition of a job's writes, removed one at a time. */
export const guardMutants: readonly Mutant[] = [
  {
    name: 'create: that nothing is there',
    edits: [
      { file: 'core/jobs/guard.ts', find: 'return stored === undefined;', replace: 'return true;' },
      {
        file: 'adapters/dynamodb/guard-condition.ts',
        find: 'attribute_not_exists(pk)',
        replace: 'attribute_not_exists(never)',
      },
    ],
  },
  ...versioned,
  ...lastWrite,
  guard(
    'heartbeat: the lease',
    transitions,
    'heartbeat',
    'leaseGuard(job)',
    "{ state: 'processing', dueAt: job.dueAt, updatedAt: job.updatedAt }",
  ),
  guard(
    'heartbeat: the version that was read',
    transitions,
    'heartbeat',
    'leaseGuard(job)',
    '{ leaseId: job.leaseId }',
  ),
  guard(
    'complete: the lease',
    termination,
    'complete',
    '{ leaseId: job.leaseId }',
    "{ state: 'processing' }",
  ),
  guard(
    'fail and reject: the lease',
    termination,
    'failOrReject',
    '{ leaseId: job.leaseId,',
    "{ state: 'processing',",
  ),
  guard('fail: the progress since', termination, 'failOrReject', ', ...progressGuard(job)', ''),
  guard(
    'write over the version of a chunked job: the progress since',
    transitions,
    'versionGuard',
    "...(job.state === 'processing' ? progressGuard(job) : {})",
    '',
  ),
  guard(
    'delegateToExecution: the lease',
    parallel,
    'delegateToExecution',
    'leaseGuard(job)',
    "{ state: 'processing', dueAt: job.dueAt, updatedAt: job.updatedAt }",
  ),
  guard(
    'delegateToExecution: the version that was read',
    parallel,
    'delegateToExecution',
    'leaseGuard(job)',
    '{ leaseId: job.leaseId }',
  ),
  ...[
    ['the lease', "{ state: 'processing', dueAt: job.dueAt, updatedAt: job.updatedAt, progressVersion }"],
    ['the version that was read', '{ leaseId: job.leaseId, progressVersion }'],
    ['the progress since', 'leaseGuard(job)'],
  ].map(([what, without = '']) =>
    guard(
      `requeueFromExecution: ${what}`,
      parallel,
      'requeueFromExecution',
      '{ ...leaseGuard(job), progressVersion }',
      without,
    ),
  ),
  guard(
    'extendExecutionCheck: the version that was read',
    parallel,
    'extendExecutionCheck',
    'versionGuard(job)',
    '{ state: job.state, progressVersion: job.progressVersion ?? null }',
  ),
  guard(
    'extendExecutionCheck: the state',
    parallel,
    'extendExecutionCheck',
    'versionGuard(job)',
    '{ dueAt: job.dueAt, progressVersion: job.progressVersion ?? null } as unknown as Guard',
  ),
  guard(
    'note an attempt: the pending delivery',
    deliveryTransitions,
    'recordDeliveryAttempt',
    '{ deliveryId, dueAt: job.dueAt ?? null }',
    '{ state: job.state, dueAt: job.dueAt ?? null }',
  ),
  guard(
    'note an attempt: the version that was read',
    deliveryTransitions,
    'recordDeliveryAttempt',
    '{ deliveryId, dueAt: job.dueAt ?? null }',
    '{ deliveryId }',
  ),
  guard(
    'settle: the pending delivery',
    deliveryTransitions,
    'settleDelivery',
    'guard: { deliveryId }',
    'guard: { state: job.state }',
  ),
  ...[
    ['dueAt', '{ state: job.state }'],
    ['state', '{ dueAt: job.dueAt ?? null } as never'],
  ].map(([what, without = '']) =>
    guard(
      `list a delivery: the ${what} that reconcile read`,
      deliveryTransitions,
      'listDelivery',
      '{ state: job.state, dueAt: job.dueAt ?? null }',
      without,
    ),
  ),
  guard(
    'resume: the dueAt that reconcile read',
    deliveryTransitions,
    'resumeDelivery',
    '{ state: job.state, dueAt: job.dueAt ?? null }',
    '{ state: job.state }',
  ),
  guard(
    'resume: the state',
    deliveryTransitions,
    'resumeDelivery',
    '{ state: job.state, dueAt: job.dueAt ?? null }',
    '{ dueAt: job.dueAt ?? null } as never',
  ),
  guard('redeliver: that nothing is pending', deliveryTransitions, 'redeliver', ', deliveryId: null }', ' }'),
  guard(
    'redeliver: the version that was read',
    deliveryTransitions,
    'redeliver',
    '{ state, dueAt: dueAt ?? null, deliveryId: null }',
    '{ state, deliveryId: null }',
  ),
  guard(
    'redeliver in place of another: that one',
    deliveryTransitions,
    'redeliver',
    '{ deliveryId: pending.id }',
    '{ state }',
  ),
  guard(
    'sweep: the dueAt that reconcile read',
    removalTransitions,
    'markSwept',
    '{ state: job.state, dueAt: job.dueAt ?? null }',
    '{ state: job.state }',
  ),
  guard(
    'sweep: the state',
    removalTransitions,
    'markSwept',
    '{ state: job.state, dueAt: job.dueAt ?? null }',
    '{ dueAt: job.dueAt ?? null } as never',
  ),
  guard(
    'delete: the state',
    removalTransitions,
    'deleteJob',
    'guard: { state: job.state, dueAt: job.dueAt ?? null }',
    'guard: { dueAt: job.dueAt ?? null } as never',
  ),
  guard(
    'delete: the dueAt that was read',
    removalTransitions,
    'deleteJob',
    'guard: { state: job.state, dueAt: job.dueAt ?? null }',
    'guard: { state: job.state }',
  ),
  guard(
    'sweep what was deleted: the dueAt that reconcile read',
    removalTransitions,
    'markTombstoneSwept',
    "{ state: 'deleted', dueAt: dueAt ?? null }",
    "{ state: 'deleted' }",
  ),
  {
    name: 'postpone: the dueAt that reconcile read',
    edits: [
      {
        file: 'core/jobs/transitions.ts',
        find: '{ state: job.state, dueAt: job.dueAt ?? null }',
        replace: '{ state: job.state }',
      },
    ],
  },
];
