import { randomUUID } from 'node:crypto';
import { account, functionNameOf, region } from '../aws-names.ts';
import { invokeAsynchronously } from '../lambda/asynchronous-invocation.ts';
import type { InvokableFunctions } from '../lambda/functions.ts';
import type { Log } from '../log.ts';
import type { SchedulePlan } from '../template/stage-plan.ts';

const minutesIn = { minute: 1, hour: 60, day: 24 * 60 } as const;

/** Parses the interval of a rate expression such as `rate(5 minutes)`. */
export function parseRateMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!count || !(unit === 'minute' || unit === 'hour' || unit === 'day')) {
    throw new Error(`The schedule ${expression} is not supported here: use rate(...).`);
  }
  return Number(count) * minutesIn[unit] * 60_000;
}

export type Schedule = {
  /** Invokes the targets now, between two intervals. Resolves when their functions have ended. */
  fire(): Promise<void>;
  stop(): void;
};

/** Invokes the targets of a schedule rule asynchronously at every interval. An event that is given up is logged. */
export function runSchedule(
  { arn, expression, targets }: SchedulePlan,
  { functions, log }: { functions: InvokableFunctions; log: Log },
): Schedule {
  const stopping = new AbortController();
  const { signal } = stopping;
  const invokeTarget = async ({ functionArn, input, ...retries }: (typeof targets)[number]) => {
    const event = input === undefined ? scheduledEvent(arn) : JSON.parse(input);
    try {
      await invokeAsynchronously({ functions, nameOrArn: functionArn, event, signal, ...retries });
    } catch (error) {
      if (!signal.aborted) log(`schedule of ${functionNameOf(functionArn)}`, String(error));
    }
  };
  const fire = async () => {
    await Promise.all(targets.map(invokeTarget));
  };
  const timer = setInterval(fire, parseRateMs(expression));
  return {
    fire,
    stop() {
      clearInterval(timer);
      stopping.abort();
    },
  };
}

function scheduledEvent(ruleArn: string): object {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account,
    time: `${new Date().toISOString().slice(0, 19)}Z`,
    region,
    resources: [ruleArn],
    detail: {},
  };
}
