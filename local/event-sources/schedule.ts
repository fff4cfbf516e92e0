import { randomUUID } from 'node:crypto';
import { account, functionNameOf, region } from '../aws-names.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';

const minutesIn = { minute: 1, hour: 60, day: 24 * 60 } as const;

/** Parses the interval of a rate expression such as `rate(5 minutes)`. */
export function parseRateMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!count || !(unit === 'minute' || unit === 'hour' || unit === 'day')) {
    throw new Error(`The schedule ${expression} is not supported here: use rate(...).`);
  }
  return Number(count) * minutesIn[unit] * 60_000;
}

/** Invokes the targets of a schedule rule at every interval. A failure is logged and not retried. */
export function runSchedule(
  { arn, rule }: StagePlan['schedules'][number],
  { functions, log }: { functions: Functions; log: Log },
): { stop(): void } {
  const invokeTargets = () => {
    for (const { Arn, Input } of rule.Targets) {
      const event = Input === undefined ? scheduledEvent(arn) : JSON.parse(Input);
      functions.invoke(Arn, event).catch((error) => log(`schedule of ${functionNameOf(Arn)}`, String(error)));
    }
  };
  const timer = setInterval(invokeTargets, parseRateMs(rule.ScheduleExpression));
  return { stop: () => clearInterval(timer) };
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
