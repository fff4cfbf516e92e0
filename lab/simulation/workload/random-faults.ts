import { type Random, seededRandom } from '@media-jobs/testing/random';
import type { Fault, FaultPlan } from '../world/fault.ts';

/** The probability of each fault at a call. */
const odds: readonly [Fault, number][] = [
  ['crash-before', 0.0015],
  ['crash-after', 0.003],
  ['fail', 0.004],
  ['lost-answer', 0.004],
  ['late', 0.003],
  ['duplicate', 0.003],
  ['slow', 0.003],
  ['pause', 0.0005],
];

/** A run of reconcile makes so many times the calls of another function: its faults are that much rarer per call. */
const callsOfRun = 20;

type Outage = { service: string; fault: Fault; from: number; until: number };

const services = [
  'jobs',
  'journal',
  'settings',
  'queue',
  'deliveries',
  'files',
  'workFiles',
  'parallel',
  'fargate',
] as const;
/** The apps and executions that are killed at random. */
const mortal = ['transcode', 'encode-chunk', 'join-chunks', 'parallel-machine', 'fargate-task', 'fargate-machine'];
const outageEveryMs = 90_000;
const seconds = (n: number) => n * 1_000;

/**
 * Random faults at every call, and outages of whole services for seconds. After `calmFrom` there are no faults: all
 * pending work must still be done.
 */
export function randomFaults(seed: number, { from, calmFrom }: { from: number; calmFrom: number }): FaultPlan {
  const random = seededRandom(seed ^ 0x5eed);
  const outages = outagesBetween(random, from, calmFrom);
  const delays = { late: seconds(20), duplicate: seconds(30), slow: seconds(8), pause: seconds(200) };
  let now = from;
  const isRough = () => now < calmFrom;

  return {
    faultOf: (point) => {
      now = point.now;
      if (!isRough()) return undefined;
      const service = point.effect.slice(0, point.effect.indexOf('.'));
      while ((outages[0]?.until ?? now) < now) outages.shift();
      const outage = outages.find((one) => one.service === service && one.from <= now && now < one.until);
      const luck = point.app === 'reconcile' ? callsOfRun : 1;
      return outage?.fault ?? faultBy(random.next() * luck);
    },
    latencyMs: () => random.between(2, 30),
    delayMs: (fault) => random.between(seconds(1), delays[fault]),
    indexLagMs: () => (random.chance(0.2) ? random.between(0, seconds(5)) : random.between(1, 100)),
    killAfterMs: (app) =>
      mortal.includes(app) && isRough() && random.chance(0.05) ? random.between(0, seconds(60)) : undefined,
    slownessOf: (app) => (app === 'encode-chunk' && isRough() && random.chance(0.05) ? random.between(3, 30) : 1),
    spotMs: () => undefined,
    isThrottled: () => isRough() && random.chance(0.02),
    repeats: () => isRough() && random.chance(0.03),
  };
}

function faultBy(chance: number): Fault | undefined {
  let rest = chance;
  for (const [fault, odd] of odds) {
    rest -= odd;
    if (rest < 0) return fault;
  }
  return undefined;
}

function outagesBetween(random: Random, from: number, until: number): Outage[] {
  const outages: Outage[] = [];
  for (let at = from; at < until; at += random.between(1, 2 * outageEveryMs)) {
    const fault = random.pick(['fail', 'fail', 'lost-answer'] as const);
    outages.push({
      service: random.pick(services),
      fault,
      from: at,
      until: at + random.between(seconds(1), seconds(20)),
    });
  }
  return outages.sort((a, b) => a.until - b.until);
}
