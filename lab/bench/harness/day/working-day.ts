import type { Random } from '@media-jobs/testing/random';
import type { ApiContract } from '../../../../core/api/registry.ts';

type Operation = ApiContract['id'];

/** A call at a time in seconds since the start of the day. */
export type TimedCall = { at: number; operation: Operation };

/** What a user does in the seconds after a visit of the dashboard began: calls together, then a pause. */
type Step = { calls: readonly Operation[]; pause?: number; times?: number };

const open = { calls: ['listJobs'], pause: 4, times: 5 } as const;

/** Polls until a job of one to five minutes has ended. */
const watch = (random: Random): Step => ({ calls: ['getJob'], pause: 1, times: random.between(60, 300) });

type Visit = (random: Random) => readonly Step[];

/** The visits of the dashboard with their weights: submitting and looking at jobs is most of a day. */
const visits: readonly { weight: number; visit: Visit }[] = [
  {
    weight: 6,
    visit: (random) => [
      open,
      { calls: ['listRecipes', 'listStorageProviders'], pause: 5 },
      { calls: ['createUpload'], pause: 1 },
      { calls: ['signUploadParts'], pause: 20 },
      { calls: ['completeUpload'], pause: 2 },
      { calls: ['estimateJob'], pause: 3, times: 3 },
      { calls: ['createJob'], pause: 1 },
      watch(random),
      { calls: ['getFile'], pause: 10 },
      { calls: ['headFile'] },
    ],
  },
  {
    weight: 5,
    visit: () => [
      open,
      { calls: ['getJob', 'listDeliveries'], pause: 5 },
      { calls: ['getFile'], pause: 10 },
      { calls: ['getJobLog'] },
    ],
  },
  {
    weight: 4,
    visit: () => [
      open,
      { calls: ['getJob', 'getJobLog'], pause: 5 },
      { calls: ['cancelJob'], pause: 5 },
      { calls: ['retryJob'], pause: 5 },
      { calls: ['deleteJob'], pause: 1 },
      open,
    ],
  },
  {
    weight: 1,
    visit: () => [
      { calls: ['listDeliveries'], pause: 5 },
      { calls: ['redeliverJob'], pause: 1 },
      { calls: ['listDeliveries'], pause: 1, times: 5 },
      { calls: ['recoverDeliveries'] },
    ],
  },
  {
    weight: 1,
    visit: () => [
      { calls: ['getSettings'], pause: 5 },
      { calls: ['getWebhookSecret'], pause: 20 },
      { calls: ['updateSettings'], pause: 5 },
      { calls: ['testWebhook'] },
    ],
  },
  {
    weight: 1,
    visit: () => [{ calls: ['listKeys'], pause: 10 }, { calls: ['createKey'], pause: 10 }, { calls: ['deleteKey'] }],
  },
  {
    weight: 1,
    visit: () => [
      { calls: ['listStorageProviders'], pause: 5 },
      { calls: ['getExternalId'], pause: 60 },
      { calls: ['createStorageProvider'], pause: 2 },
      { calls: ['testStorageProvider'], pause: 60 },
      { calls: ['updateStorageProvider'], pause: 2 },
      { calls: ['testStorageProvider'] },
    ],
  },
  { weight: 1, visit: () => [{ calls: ['getUsage', 'getLimits'] }] },
];

const hours = 8;
const visitsOfUser = 12;

/** The calls of a working day of eight hours, in order: each user visits the dashboard twelve times, at random times. */
export function workingDay(random: Random, users: number): TimedCall[] {
  const starts = Array.from({ length: users * visitsOfUser }, () => random.next() * hours * 3600);
  return starts.flatMap((start) => callsOf(pickVisit(random)(random), start)).sort((a, b) => a.at - b.at);
}

function pickVisit(random: Random): Visit {
  const weighted = visits.flatMap(({ weight, visit }) => Array.from({ length: weight }, () => visit));
  return random.pick(weighted as [Visit, ...Visit[]]);
}

function callsOf(steps: readonly Step[], start: number): TimedCall[] {
  const calls: TimedCall[] = [];
  let at = start;
  for (const { calls: operations, pause = 0, times = 1 } of steps) {
    for (let time = 0; time < times; time++) {
      for (const operation of operations) calls.push({ at, operation });
      at += pause;
    }
  }
  return calls;
}

/** How long a process answers a call, and how long it is kept without one, in seconds. */
const [warmSeconds, coldSeconds] = [0.05, 0.6];

/**
 * The calls of a day that start a process: no process of their function is both free and kept. Lambda does not state how
 * long it keeps an idle one.
 */
export function coldStarts(
  day: readonly TimedCall[],
  { functionOf, keptSeconds }: { functionOf: (operation: Operation) => string; keptSeconds: number },
): number {
  const freeAt = new Map<string, number[]>();
  let count = 0;
  for (const { at, operation } of day) {
    const name = functionOf(operation);
    const kept = (freeAt.get(name) ?? []).filter((free) => at - free <= keptSeconds).sort((a, b) => b - a);
    const warm = kept.findIndex((free) => free <= at);
    if (warm === -1) count += 1;
    else kept.splice(warm, 1);
    freeAt.set(name, [...kept, at + (warm === -1 ? coldSeconds : warmSeconds)]);
  }
  return count;
}
