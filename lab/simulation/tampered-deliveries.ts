import type { TerminalJob } from '../../core/jobs/record.ts';
import { endpointOf } from '../../core/settings/owner-settings.ts';
import { afterOutage, last, only, repeat, reposted, rewritten, type Tamper, without } from './tampering.ts';
import { anEndpoint } from './workload/run-world.ts';
import type { LogEntry } from './world/log.ts';

const isOpenedAttempt = (entry: LogEntry) => entry.kind === 'attempt' && entry.attempt.outcome === undefined;

const recordsDelivery = (entry: LogEntry) => entry.kind === 'written' && 'deliveredAttempt' in entry.after;

/** The write that settles the delivery records another outcome, or none. */
const settledWith = (outcome: { delivered: false } | undefined): Tamper =>
  rewritten((record) => {
    const { deliveredAttempt } = record as TerminalJob;
    if (deliveredAttempt === undefined || outcome === undefined) return { deliveredAttempt: undefined };
    return {
      deliveredAttempt: { ...deliveredAttempt, outcome: { ...deliveredAttempt.outcome, ...outcome } },
    };
  }, recordsDelivery);

const isClosedAttempt = (entry: LogEntry) => entry.kind === 'attempt' && entry.attempt.outcome !== undefined;

/** Tampers with the entries of deliveries to endpoints alone. */
const ofEndpoints =
  (tamper: Tamper): Tamper =>
  (log) => {
    const isOfEndpoint = (entry: LogEntry) =>
      (entry.kind === 'posted' && endpointOf(entry.post.deliveryId) !== undefined) ||
      (entry.kind === 'attempt' && endpointOf(entry.attempt.deliveryId) !== undefined) ||
      entry.kind === 'endpoint-written';
    const others = log.filter((entry) => !isOfEndpoint(entry));
    return [...others, ...tamper(log.filter(isOfEndpoint))].sort((one, other) => one.at - other.at);
  };

const abandoned: Tamper = (log) =>
  log.map((entry) =>
    entry.kind === 'endpoint-written' && entry.after.deliveryOutcome !== undefined
      ? { ...entry, after: { ...entry.after, deliveryOutcome: 'abandoned' } }
      : entry,
  );

/** Logs of a job with endpoints, in which only deliveries to these are tampered with. */
export function tamperedEndpoints(): [string, Tamper][] {
  const asAtTarget = [
    'an attempt is recorded before its POST, by the invocation that sends it',
    'each attempt has one POST',
    'each delivery has at most three POSTs',
    'no POST is sent after a recorded 2xx',
    'each job has one event: one terminal state, one webhook-id for each receiver',
    "a webhook goes to its owner's receiver",
    'a receiver that answers 2xx gets the webhook, unless every attempt was lost to a fault',
    'a retry is never early',
  ];
  const all: [string, Tamper][] = [
    ...Object.entries(tamperedDeliveries).filter(([name]) => asAtTarget.includes(name)),
    ['the outcome of a delivery matches its attempts', without(isClosedAttempt)],
    ['no attempt stays open once its delivery is settled', without(isClosedAttempt)],
    ['an abandoned delivery is followed by each later attempt in time, with one POST, until a 2xx', abandoned],
    ['each endpoint gets the events that it wants, and no other', () => []],
  ];
  return all.map(([name, tamper]) => [name, ofEndpoints(tamper)]);
}

/** Logs of one job with breaches of the invariants of its delivery and its event, by invariant. */
export const tamperedDeliveries: Record<string, Tamper> = {
  'an outage alone costs a willing receiver no webhook': afterOutage(without((entry) => entry.kind === 'posted')),
  'an attempt is recorded before its POST, by the invocation that sends it': without(isOpenedAttempt),
  'each attempt has one POST': repeat((entry) => entry.kind === 'posted'),
  'each delivery has at most three POSTs': (log) => [1, 2, 3].reduce((more) => [...more, ...only(log, 'posted')], log),
  'an abandoned delivery is followed by each later attempt in time, with one POST, until a 2xx': last(() => ({
    deliveryOutcome: 'abandoned',
  })),
  'few deliveries to slow receivers of an owner run at once, and half as many to one of them': (log) => [
    ...log,
    {
      kind: 'slow-receivers',
      ownerId: 'owner-1',
      origin: 'https://owner-1.example',
      at: (only(log, 'posted')[0]?.post.sentAt ?? 0) - 6_000,
    },
    ...[1, 2].flatMap((n) =>
      only(log, 'posted').map((entry) => ({
        ...entry,
        post: { ...entry.post, deliveryId: `another-${n}`, endsAt: entry.post.sentAt + 10_000 },
      })),
    ),
  ],
  'no POST is sent after a recorded 2xx': reposted({ sentAt: Number.POSITIVE_INFINITY }),
  'each job has one event: one terminal state, one webhook-id for each receiver': reposted({
    webhookId: 'evt_another',
  }),
  "a webhook goes to its owner's receiver": reposted({ url: 'https://owner-2.example/willing' }),
  'a receiver that answers 2xx gets the webhook, unless every attempt was lost to a fault': without(
    (entry) => entry.kind === 'posted',
  ),
  'the outcome of a delivery matches its attempts': settledWith(undefined),
  'no attempt stays open once its delivery is settled': settledWith(undefined),
  'a failed attempt is followed by the next within seconds, without faults': (log) =>
    settledWith({ delivered: false })(log).flatMap((entry): LogEntry[] =>
      entry.kind === 'attempt'
        ? [entry, { ...entry, at: entry.at + 60_000, attempt: { ...entry.attempt, attempt: 2 } }]
        : [entry],
    ),
  'a retry is never early': reposted({ attempt: 2, sentAt: 0 }),
  'each endpoint gets the events that it wants, and no other': (log) => [
    ...log,
    { kind: 'endpoint', at: 0, ownerId: 'owner-1', endpoint: anEndpoint(9, { manner: 'willing' }) },
  ],
  'the end of a job is published at most once': repeat((entry) => entry.kind === 'published'),
  'the end of a job is published, without faults': without((entry) => entry.kind === 'published'),
};
