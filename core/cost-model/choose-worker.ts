import type { MemoryFit } from '../encoding/encoder-memory.ts';
import type { PlanCost } from './plan-cost.ts';
import { expectedSeconds, type Processors, spread } from './processors.ts';

/** A worker that could process a whole job. */
export type Candidate = {
  processors: Processors;
  /** Wall seconds that it has for the work. */
  maxSeconds: number;
  fit: MemoryFit;
  /** Whether the inputs, and what is copied of them, fit on its disk. */
  hasDisk: boolean;
  /** The memory that is billed for each second. Undefined for a Fargate task, which is never chosen by its price. */
  gigabytes?: number | undefined;
};

/** What decides between workers besides their own figures. */
export type WholeWork = {
  cost: Pick<PlanCost, 'cpuSeconds' | 'serialSeconds' | 'encoders'>;
  /** Seconds that another worker takes to start and to fetch the inputs, which this one has. */
  startSeconds: number;
  /** Seconds of the upload. */
  endSeconds: number;
};

/** Why another worker is chosen: this one lacks it, or the other has it for the same price. */
export type Advantage = 'memory' | 'disk' | 'time' | 'price';

/**
 * The choice for a whole job. `worker` is the position among the others; undefined: this worker. Without a worker that can
 * end the job, `lacks` tells what this one lacks.
 */
export type WorkerChoice =
  | { worker?: undefined; lacks?: Exclude<Advantage, 'price'> }
  | { worker: number; because: Advantage };

/** Encoders whose threads share a frame or work on several: the others leave further processors idle. */
const scalingEncoders = new Set(['libx264', 'libx265', 'libsvtav1']);

/** A job may cost so much more on faster processors, relative to this worker. */
const samePrice = 1.05;

/** An execution and a message, in GB-seconds of Lambda: five transitions of Step Functions. */
const delegationGbSeconds = 10;

/**
 * Chooses the worker of a whole job: this one, or the first of the others whose memory, disk and time are enough. A function
 * with more memory is chosen also if it holds encodings that this one would have to reduce, or ends the job sooner for the
 * same price. An estimate is taken by its p90.
 */
export function chooseWorker(work: WholeWork, here: Candidate, others: readonly Candidate[]): WorkerChoice {
  const lacks = lackOf(work, here);
  const able = others.findIndex((other) => lackOf(work, other) === undefined);
  if (lacks !== undefined) return able === -1 ? { lacks } : { worker: able, because: lacks };
  const larger = others.findIndex(
    (other) => other.gigabytes !== undefined && other.fit === 'usual' && lackOf(work, other) === undefined,
  );
  const large = others[larger];
  if (large === undefined) return {};
  if (here.fit === 'reduced') return { worker: larger, because: 'memory' };
  return costsTheSame(work, here, large) ? { worker: larger, because: 'price' } : {};
}

function lackOf({ cost }: WholeWork, { fit, hasDisk, processors, maxSeconds }: Candidate) {
  if (fit === 'none') return 'memory';
  if (!hasDisk) return 'disk';
  return expectedSeconds(cost, processors) * spread <= maxSeconds ? undefined : 'time';
}

/** Lambda bills GB-seconds: more processors that are all busy end a job sooner for the same price. */
function costsTheSame(
  { cost, startSeconds, endSeconds }: WholeWork,
  here: Candidate,
  other: Candidate,
): boolean {
  const { encoders } = cost;
  if (encoders.size === 0 || [...encoders].some((name) => !scalingEncoders.has(name))) return false;
  const gbSeconds = ({ gigabytes = 0, processors }: Candidate, moreSeconds: number) =>
    gigabytes * (expectedSeconds(cost, processors) + moreSeconds);
  const hereGbSeconds = gbSeconds(here, endSeconds);
  return gbSeconds(other, startSeconds + endSeconds) + delegationGbSeconds <= samePrice * hereGbSeconds;
}
