import type { PlanCost } from '../cost-model/plan-cost.ts';
import { type Candidate, expectedSeconds, spread } from '../cost-model/processors.ts';
import { JobError } from '../errors.ts';
import { functionDiskBytes } from '../media/probe/input-limits.ts';

/** What a worker has for a single pass. */
export type Capacity = Pick<Candidate, 'processors' | 'maxSeconds'>;

/** The reason why a job is delegated to a task, as a sentence for its owner. `prefix` comes before it. */
export function delegationReason(why: string, prefix = ''): string {
  return `${prefix}A Fargate task encodes it: ${why}`;
}

export function lacksTime(cost: PlanCost, { processors }: Capacity): string {
  return `a function would take ${timeOf(expectedSeconds(cost, processors))}`;
}

type Disk = {
  inputBytes: number;
  copiedBytes: number;
  /** What the largest disk of a worker takes of the inputs. */
  maxBytes: number;
  /** The inputs alone exceed that. */
  isTooLarge: boolean;
};

/** The rejection of inputs that fit on the disk of no worker. */
export function tooLarge({ inputBytes, copiedBytes, maxBytes, isTooLarge }: Disk, reason: string): JobError {
  const need = isTooLarge
    ? `all of it on the disk of one worker, which takes ${maxBytes}`
    : `that and ${Math.round(copiedBytes)} that are copied on the disk of one worker, which has ${functionDiskBytes}`;
  const message =
    `The input has ${inputBytes} bytes, and this work needs ${need}. ${reason}. Use a recipe and parameters that are encoded in chunks, or a smaller input; ` +
    "the service's operator can set fargate for tasks with a larger disk";
  return new JobError('INPUT_TOO_LARGE', message);
}

/** The rejection of work for which a function has no time, on a stage without tasks. */
export function tooLong({ processors, maxSeconds }: Capacity, cost: PlanCost, reason: string): JobError {
  const message =
    `This work takes ${timeOf(expectedSeconds(cost, processors))}, and a worker has ${minutes(maxSeconds)} left. ` +
    `${reason}. Choose a smaller frame size, a faster preset, h264 or a shorter input; the service's operator can ` +
    'raise transcoder.memoryMb, or set fargate for tasks that may take hours';
  return new JobError('INPUT_TOO_LONG', message);
}

export function tooLongForTask({ processors, maxSeconds }: Capacity, cost: PlanCost): JobError {
  const seconds = expectedSeconds(cost, processors);
  const message =
    `This work takes a Fargate task ${timeOf(seconds)}, and it has ${minutes(maxSeconds)}. Choose a smaller frame size, a ` +
    "faster preset, h264 or a shorter input; the service's operator can raise fargate.maxHours or fargate.vcpus";
  return new JobError('INPUT_TOO_LONG', message);
}

function timeOf(seconds: number): string {
  return `about ${minutes(seconds)} minutes, up to ${minutes(seconds * spread)}`;
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(1);
}
