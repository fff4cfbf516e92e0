import { type Random, seededRandom } from '@media-jobs/testing/random';
import type { WebhookEndpoint } from '../../../core/settings/owner-settings.ts';
import { isChunkable } from '../world/media-origin.ts';
import { aJobScript, graphNames, type JobScript, type Step } from './job-script.ts';
import { anEndpoint } from './run-world.ts';

const owners = 40;
/** The share of chunked jobs, each of which makes four times the calls of another: of any kind, and if all have graphs. */
const inParts = { any: 0.07, onlyGraphs: 0.25 };
const cut = ['long', 'sung', 'large', 'rangeless', 'unjoinable', 'brokenChunk'] as const;
const whole = ['good', 'good', 'good', 'good', 'good', 'good', 'gone', 'broken'] as const;
/** The share of jobs that only a Fargate task has time for. */
const unusual = 0.02;
/** The shares of jobs that hold a worker for minutes: as their probe shows, and although it does not. */
const long = { foreseen: 0.03, unforeseen: 0.01 };
const minutes = (n: number) => n * 60_000;

export type RandomJobs = {
  jobs: number;
  /** In milliseconds. */
  spanMs: number;
  /** Every job has several steps, and one in four is in chunks. */
  onlyGraphs?: boolean | undefined;
};

/** Jobs of all kinds over a span of time, as on a busy service. */
export function randomJobScripts(seed: number, { jobs, spanMs, onlyGraphs = false }: RandomJobs): JobScript[] {
  const random = seededRandom(seed);
  return Array.from({ length: jobs }, () => {
    const isForeseen = random.chance(long.foreseen);
    const isLong = isForeseen || random.chance(long.unforeseen);
    const owner = random.between(1, owners);
    const input = inputOf(random, { isForeseen, isLong, inParts: onlyGraphs ? inParts.onlyGraphs : inParts.any });
    return aJobScript({
      ownerId: `owner-${owner}`,
      ...capOf(owner),
      atMs: random.between(0, spanMs),
      hasIdempotencyKey: random.chance(0.7),
      input,
      ...(onlyGraphs || isChunkable(input) ? stepsOfJob(random, onlyGraphs ? 1 : 0.375) : {}),
      // Chunks that share a target bit rate are long.
      ...(input === 'sung' ? { bitrate: 500 } : {}),
      isUploaded: random.chance(0.1),
      encodeMs: encodeMsOf(random, isLong),
      ...receiverOf(random),
      steps: stepsOf(random),
    });
  });
}

/** This share of the jobs has several steps: a third of them is a pipeline. */
function stepsOfJob(random: Random, share: number): Pick<JobScript, 'isPipeline' | 'graph'> {
  const kind = random.next() / share;
  if (kind < 0.33) return { isPipeline: true };
  return kind < 1 ? { graph: random.pick(graphNames) } : {};
}

/** Every fourth owner submits by a key with a cap; the cap of one owner rejects jobs. */
function capOf(owner: number): Pick<JobScript, 'keyUsdPerDay'> {
  return owner % 4 === 1 ? { keyUsdPerDay: owner === 5 ? 0.002 : 1 } : {};
}

/** Slow receivers, of two origins, do not have that of the others. */
function receiverOf(random: Random): Pick<JobScript, 'receiver' | 'receiverPort'> {
  if (!random.chance(0.04)) {
    return {
      receiver: random.pick(['willing', 'willing', 'willing', 'hesitant', 'recovering', 'unwilling', 'default']),
    };
  }
  const receiver = random.pick(['hanging', 'lagging'] as const);
  return { receiver, receiverPort: receiver === 'hanging' ? 8001 : 8002 };
}

function inputOf(
  random: Random,
  { isForeseen, isLong, inParts }: { isForeseen: boolean; isLong: boolean; inParts: number },
): JobScript['input'] {
  if (isForeseen) return 'lengthy';
  if (isLong) return 'good';
  if (random.chance(inParts)) return random.pick(cut);
  return random.chance(unusual) ? 'endless' : random.pick(whole);
}

function encodeMsOf(random: Random, isLong: boolean): number {
  if (isLong) return random.between(minutes(2), minutes(5));
  return random.chance(0.1) ? random.between(10_000, 90_000) : random.between(200, 8_000);
}

/** Every other owner has a default receiver. */
export function defaultReceivers(): Record<string, string> {
  const ids = Array.from({ length: owners }, (_, index) => index + 1).filter((n) => n % 2 === 0);
  return Object.fromEntries(ids.map((n) => [`owner-${n}`, `https://owner-${n}.example/willing`]));
}

/** Every eighth owner has two endpoints. */
export function randomEndpoints(): Record<string, WebhookEndpoint[]> {
  const ids = Array.from({ length: owners / 8 }, (_, index) => `owner-${8 * index + 3}`);
  const manners = ['willing', 'hesitant', 'unwilling'];
  const endpointsOf = (ownerId: string, index: number) => [
    anEndpoint(1, { ownerId, manner: manners[index % 3] ?? '', states: ['completed', 'failed'] }),
    anEndpoint(2, { ownerId, manner: 'willing' }),
  ];
  return Object.fromEntries(ids.map((ownerId, index) => [ownerId, endpointsOf(ownerId, index)]));
}

/** Every fifth owner has a storage provider of its own. */
export function randomProviderOwners(): string[] {
  return Array.from({ length: owners / 5 }, (_, index) => `owner-${5 * (index + 1)}`);
}

function stepsOf(random: Random): Step[] {
  const steps: Step[] = [];
  const after = (maxMs: number) => random.between(0, maxMs);
  if (random.chance(0.05)) steps.push({ what: 'repeat', afterMs: after(10_000) });
  if (random.chance(0.12)) steps.push({ what: 'cancel', afterMs: after(10_000) });
  if (random.chance(0.1)) steps.push({ what: 'retry', afterMs: after(30_000) });
  if (random.chance(0.1)) steps.push({ what: 'redeliver', afterMs: after(minutes(3)) });
  if (random.chance(0.1)) steps.push({ what: 'delete', afterMs: after(minutes(2)) });
  if (random.chance(0.01)) steps.push({ what: 'list', afterMs: after(minutes(1)) });
  if (random.chance(0.005)) steps.push({ what: 'recover', afterMs: after(minutes(5)) });
  return steps;
}
