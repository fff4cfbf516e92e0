import { wantsEvent } from '../../../core/settings/owner-settings.ts';
import { attemptDelaysMs, webhookId } from '../../../core/webhooks/delivery.ts';
import { laterAttemptsMs } from '../world/ports.ts';
import type { JobHistory } from './history.ts';
import { isDeleted, lastRecord, terminalWrites } from './history.ts';
import { deliveryInvariant, jobInvariant } from './invariant.ts';

const maxPosts = attemptDelaysMs.length;

type Post = JobHistory['posts'][number];

const nameOf = ({ post }: Post) => `${post.deliveryId} attempt ${post.attempt}`;
const deliveredAt = ({ attempts }: JobHistory, deliveryId: string) =>
  attempts.find(({ attempt }) => attempt.deliveryId === deliveryId && attempt.outcome?.delivered)?.at;

/** The number of occurrences of each name. */
function counts(names: string[]): [string, number][] {
  const found = new Map<string, number>();
  for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
  return [...found];
}

export const recordedBeforePosted = deliveryInvariant(
  'an attempt is recorded before its POST, by the invocation that sends it',
  (job) =>
    job.posts.flatMap((entry) => {
      const isWritten = job.attempts.some(
        ({ at, invocation, attempt }) =>
          at <= entry.at &&
          invocation === entry.invocation &&
          attempt.deliveryId === entry.post.deliveryId &&
          attempt.attempt === entry.post.attempt &&
          attempt.outcome === undefined,
      );
      return isWritten ? [] : [`${nameOf(entry)} was posted by who had not written it down`];
    }),
);

/** The time-out of a POST. */
const postMs = 10_000;

export const attemptsPrecedeReconcile = deliveryInvariant(
  'reconcile is not due while an attempt runs, without faults',
  (job) =>
    job.attempts.flatMap(({ at, app, invocation, attempt }) => {
      if (app !== 'deliver-webhook' || attempt.outcome !== undefined || isLost(job, invocation)) return [];
      const record = job.writes.findLast((write) => write.at <= at)?.after;
      // The job may have been deleted since the function read it: reconcile resumes no delivery of a tombstone.
      if (record === undefined || !('pendingDelivery' in record)) return [];
      const isEarly = Date.parse(record.dueAt ?? '') >= at + postMs;
      return isEarly ? [] : [`${attempt.deliveryId} attempt ${attempt.attempt} was opened when reconcile was due`];
    }),
);

export const onePostPerAttempt = deliveryInvariant('each attempt has one POST', ({ posts }) =>
  counts(posts.map(nameOf)).flatMap(([name, count]) => (count > 1 ? [`${name} was posted ${count} times`] : [])),
);

export const threePostsPerDelivery = deliveryInvariant('each delivery has at most three POSTs', ({ posts }) =>
  counts(posts.map(({ post }) => post.deliveryId)).flatMap(([deliveryId, count]) =>
    count > maxPosts ? [`${deliveryId} was posted ${count} times`] : [],
  ),
);

export const noPostAfterSuccess = deliveryInvariant('no POST is sent after a recorded 2xx', (job) =>
  job.posts.flatMap((entry) => {
    const settledAt = deliveredAt(job, entry.post.deliveryId);
    const isLate = settledAt !== undefined && settledAt < entry.post.sentAt;
    return isLate ? [`${nameOf(entry)} was sent after a recorded 2xx`] : [];
  }),
);

export const oneEventPerJob = deliveryInvariant(
  'each job has one event: one terminal state, one webhook-id for each receiver',
  (job) => {
    const [end] = terminalWrites(job);
    const endedAt = end !== undefined && 'completedAt' in end.after ? Date.parse(end.after.completedAt) : undefined;
    return job.posts.flatMap(({ post }) => {
      const { data, timestamp } = JSON.parse(post.body);
      const isTheEvent =
        post.webhookId === webhookId(job.jobId, job.endpointId) &&
        data.jobId === job.jobId &&
        data.state === end?.after.state &&
        timestamp === endedAt;
      return isTheEvent ? [] : [`was announced as ${post.webhookId}, ${data.state} at ${timestamp}`];
    });
  },
);

export const ownReceiver = deliveryInvariant("a webhook goes to its owner's receiver", ({ posts, ownerId }) =>
  posts.flatMap(({ post }) =>
    new URL(post.url).hostname === `${ownerId}.example` ? [] : [`was announced to ${post.url}`],
  ),
);

/** Whether a fault hit this invocation: it may have lost the attempt, or its outcome. */
function isLost({ faults }: JobHistory, invocation: number): boolean {
  return faults.some((fault) => fault.invocation === invocation);
}

export const successfulReceiversAreNotified = deliveryInvariant(
  'a receiver that answers 2xx gets the webhook, unless every attempt was lost to a fault',
  (job) => {
    const record = lastRecord(job);
    const target = record !== undefined && 'webhookTarget' in record ? record.webhookTarget : null;
    if (isDeleted(job) || target === null || target === undefined || !target.endsWith('/willing')) return [];
    if (job.posts.some(({ post }) => post.status < 300)) return [];
    const kept = job.attempts.filter(
      ({ attempt, invocation }) => attempt.outcome === undefined && !isLost(job, invocation),
    );
    const isEveryAttemptLost = job.attempts.length > 0 && kept.length === 0;
    return isEveryAttemptLost ? [] : ['ended, and its willing receiver never heard of it'];
  },
);

export const deliveryOutcomesMatchAttempts = deliveryInvariant(
  'the outcome of a delivery matches its attempts',
  (job) => {
    const record = lastRecord(job);
    if (record === undefined || !('completedAt' in record)) return [];
    const { deliveryOutcome: outcome = 'pending for ever', webhookTarget } = record;
    const settledBy = job.writes.findLast(({ before, after }) => {
      const pending = before !== undefined && 'pendingDelivery' in before ? before.pendingDelivery : undefined;
      return pending !== undefined && !('pendingDelivery' in after && after.pendingDelivery !== undefined);
    });
    const before = settledBy?.before;
    const pending = before !== undefined && 'pendingDelivery' in before ? before.pendingDelivery : undefined;
    const deliveryId = pending?.id;
    const attempts = new Set(
      job.attempts.filter(({ attempt }) => attempt.deliveryId === deliveryId).map(({ attempt }) => attempt.attempt),
    );
    const wasDelivered = deliveryId !== undefined && deliveredAt(job, deliveryId) !== undefined;
    const expected = webhookTarget === null ? 'none' : wasDelivered ? 'delivered' : 'abandoned';
    if (outcome !== expected) return [`is ${outcome}, but its attempts say ${expected}`];
    return outcome === 'abandoned' && attempts.size !== (pending?.isLater ? 1 : maxPosts)
      ? [`was abandoned after ${attempts.size} attempts`]
      : [];
  },
);

/** The deliveries of a job that are later attempts, in their order, with the time of each start. */
function laterDeliveries({ writes }: JobHistory): { deliveryId: string; begunAt: number }[] {
  const begun = new Map<string, number>();
  for (const { at, after } of writes) {
    const pending = 'pendingDelivery' in after ? after.pendingDelivery : undefined;
    if (pending?.isLater && !begun.has(pending.id)) begun.set(pending.id, at);
  }
  return [...begun].map(([deliveryId, begunAt]) => ({ deliveryId, begunAt }));
}

export const laterAttemptsAreMade = deliveryInvariant(
  'an abandoned delivery is followed by each later attempt in time, with one POST, until a 2xx',
  (job) => {
    const record = lastRecord(job);
    const deliveries = laterDeliveries(job);
    const isAbandoned = record !== undefined && 'deliveryOutcome' in record && record.deliveryOutcome === 'abandoned';
    if (isAbandoned && deliveries.length !== laterAttemptsMs.length) {
      return [`ended after ${deliveries.length} later attempts`];
    }
    return deliveries.flatMap(({ deliveryId, begunAt }, index) => {
      const posts = job.posts.filter(({ post }) => post.deliveryId === deliveryId);
      if (posts.length > 1) return [`${deliveryId} had ${posts.length} POSTs`];
      const settled = job.writes.findLast(
        ({ at, before, after }) =>
          at <= begunAt &&
          before !== undefined &&
          'pendingDelivery' in before &&
          before.pendingDelivery !== undefined &&
          !('pendingDelivery' in after && after.pendingDelivery !== undefined),
      );
      const waitedMs = begunAt - (settled?.at ?? begunAt);
      // A write that took effect late was decided before.
      if (job.faults.some(({ fault, invocation }) => fault === 'late' && invocation === settled?.invocation)) return [];
      return waitedMs < (laterAttemptsMs[index] ?? 0) ? [`${deliveryId} came after ${waitedMs} ms`] : [];
    });
  },
);

export const noAttemptStaysOpen = deliveryInvariant('no attempt stays open once its delivery is settled', (job) => {
  const closed = new Set(
    job.attempts.flatMap(({ attempt }) => (attempt.outcome ? [`${attempt.deliveryId} ${attempt.attempt}`] : [])),
  );
  if (isDeleted(job)) return [];
  return job.attempts
    .map(({ attempt }) => `${attempt.deliveryId} ${attempt.attempt}`)
    .filter((name) => !closed.has(name))
    .map((name) => `${name} has no outcome`);
});

export const retriesAreNotEarly = deliveryInvariant('a retry is never early', ({ attempts, posts }) =>
  posts.flatMap((entry) => {
    const { deliveryId, attempt, sentAt } = entry.post;
    const before = attempts.find(
      (one) => one.attempt.deliveryId === deliveryId && one.attempt.attempt === attempt - 1 && one.attempt.outcome,
    )?.attempt.outcome;
    // The end of a lost attempt is unknown; it was at least a minute ago.
    if (before === undefined || before.errorClass === 'LOST') return [];
    const waitedMs = sentAt - Date.parse(before.endedAt);
    return waitedMs < (attemptDelaysMs[attempt - 1] ?? 0) ? [`${nameOf(entry)} came after ${waitedMs} ms`] : [];
  }),
);

/** The time in which a function, its calls and a state transition may delay an attempt, without faults. */
const maxLatenessMs = 10_000;

export const retriesPrecedeReconcile = deliveryInvariant(
  'a failed attempt is followed by the next within seconds, without faults',
  (job) => {
    if (job.faults.length > 0 || isDeleted(job)) return [];
    const openedAt = new Map(
      job.attempts
        .filter(({ attempt }) => attempt.outcome === undefined)
        .map(({ at, attempt }) => [`${attempt.deliveryId} attempt ${attempt.attempt}`, at]),
    );
    return job.attempts.flatMap(({ attempt: { deliveryId, attempt, outcome } }) => {
      const next = openedAt.get(`${deliveryId} attempt ${attempt + 1}`);
      if (outcome === undefined || outcome.delivered || next === undefined) return [];
      const lateMs = next - Date.parse(outcome.endedAt) - (attemptDelaysMs[attempt] ?? 0);
      return lateMs > maxLatenessMs ? [`${deliveryId} attempt ${attempt + 1} was opened ${lateMs} ms too late`] : [];
    });
  },
);

export const endpointsGetWhatTheyWant = jobInvariant(
  'each endpoint gets the events that it wants, and no other',
  (job, { endpoints }) => {
    const [end] = terminalWrites(job);
    if (end === undefined || end.after.state === 'deleted' || isDeleted(job)) return [];
    const {
      after,
      after: { ownerId },
    } = end;
    return endpoints
      .filter((each) => each.ownerId === ownerId)
      .filter(({ endpoint }) => wantsEvent(endpoint, after) !== job.endpoints.has(endpoint.id))
      .map(({ endpoint }) => `has ${job.endpoints.has(endpoint.id) ? 'a' : 'no'} delivery to ${endpoint.id}`);
  },
);

export const publishedAtMostOnce = jobInvariant(
  'the end of a job is published at most once',
  ({ published, faults }) => {
    const isRepeated = faults.some(({ effect }) => effect === 'eventBus.publish');
    return published.length > 1 && !isRepeated ? [`was published ${published.length} times`] : [];
  },
);

export const publishedWithoutFaults = jobInvariant('the end of a job is published, without faults', (job) => {
  const record = lastRecord(job);
  const isOver = record !== undefined && 'completedAt' in record;
  return isOver && job.faults.length === 0 && job.published.length === 0 ? ['was never published'] : [];
});
