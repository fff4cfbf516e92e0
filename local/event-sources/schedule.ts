import { randomUUID } from 'node:crypto';
import { account, functionNameOf, region } from '../aws-names.ts';
import type { Functions } from '../lambda/functions.ts';
import type { Log } from '../log.ts';
import type { StagePlan } from '../template/stage-plan.ts';

const minutesIn = { minute: 1, hour: 60, day: 24 * 60 } as const;

/** The interval of `rate(5 minutes)`, in milliseconds. */
export function parseRateMs(expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!count || !(unit === 'minute' || unit === 'hour' || unit === 'day')) {
    throw new Error(`The schedule ${expression} does not run here: only rate(...) does.`);
  }
  return Number(count) * minutesIn[unit] * 60_000;
}

/** Fires a schedule rule at every interval. A run that fails is logged; the next one is its retry. */
export function runSchedule(
  { arn, rule }: StagePlan['schedules'][number],
  { functions, log }: { functions: Functions; log: Log },
): { stop(): void } {
  const fire = () => {
    for (const { Arn, Input } of rule.Targets) {
      const event = Input === undefined ? scheduledEvent(arn) : JSON.parse(Input);
      functions.invoke(Arn, event).catch((error) => log(`schedule of ${functionNameOf(Arn)}`, String(error)));
    }
  };
  const timer = setInterval(fire, parseRateMs(rule.ScheduleExpression));
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
