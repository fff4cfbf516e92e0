import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRateMs, runSchedule } from '../../src/event-sources/schedule.ts';
import { InvocationError } from '../../src/lambda/invocation-error.ts';
import type { InvocationResult } from '../../src/lambda/runtime-api.ts';
import type { SchedulePlan } from '../../src/template/stage-plan.ts';

it.each([
  ['rate(1 minute)', 60_000],
  ['rate(5 minutes)', 300_000],
  ['rate(2 hours)', 7_200_000],
  ['rate(1 day)', 86_400_000],
])('the rate %s is %i ms', (expression, expected) => expect(parseRateMs(expression)).toBe(expected));

it('a cron expression is rejected', () => {
  expect(() => parseRateMs('cron(0 12 * * ? *)')).toThrow('The schedule cron(0 12 * * ? *) is not supported here');
});

describe('a schedule', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date('2026-11-20T10:00:00.500Z') });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const target = {
    functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:reconcile',
    input: undefined,
    maxEventAgeSeconds: 60,
    maxRetries: 0,
  };
  const aSchedule = (targets: SchedulePlan['targets']) => ({
    name: 'every-minute',
    arn: 'arn:aws:events:us-east-1:000000000000:rule/every-minute',
    expression: 'rate(1 minute)',
    targets,
  });
  const invoke = vi.fn(async (_: string, __: unknown): Promise<InvocationResult> => ({ ok: true, payload: 'null' }));
  const functions = { invoke };

  it('invokes its targets at every interval until it is stopped', () => {
    invoke.mockClear();
    const { stop } = runSchedule(aSchedule([target]), { functions, log: () => undefined });
    expect(invoke).not.toHaveBeenCalled();
    vi.advanceTimersByTime(120_000);
    stop();
    vi.advanceTimersByTime(120_000);
    expect(invoke).toHaveBeenCalledTimes(2);
    expect(invoke).toHaveBeenLastCalledWith(target.functionArn, {
      version: '0',
      id: expect.any(String),
      'detail-type': 'Scheduled Event',
      source: 'aws.events',
      account: '000000000000',
      time: '2026-11-20T10:02:00Z',
      region: 'us-east-1',
      resources: ['arn:aws:events:us-east-1:000000000000:rule/every-minute'],
      detail: {},
    });
  });

  it('that is fired invokes its targets at once', async () => {
    invoke.mockClear();
    const { fire, stop } = runSchedule(aSchedule([target, target]), { functions, log: () => undefined });
    await fire();
    stop();
    expect(invoke).toHaveBeenCalledTimes(2);
  });

  it('logs an invocation that is rejected', async () => {
    const logged: string[] = [];
    invoke.mockRejectedValueOnce(new Error('denied'));
    const { fire, stop } = runSchedule(aSchedule([target]), {
      functions,
      log: (source, line) => logged.push(`${source}: ${line}`),
    });
    await fire();
    stop();
    expect(logged).toEqual(['schedule of reconcile: Error: denied']);
  });

  it('gives up a throttled event after the age that its target accepts', async () => {
    const logged: string[] = [];
    const throttled = vi.fn(() => Promise.reject(new InvocationError('TooManyRequestsException', 'Rate Exceeded.')));
    const { fire, stop } = runSchedule(aSchedule([target]), {
      functions: { invoke: throttled },
      log: (_, line) => logged.push(line),
    });
    const fired = fire();
    await vi.advanceTimersByTimeAsync(59_000);
    expect(logged).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    stop();
    await fired;
    expect(logged).toEqual([expect.stringContaining('Rate Exceeded')]);
  });

  it('passes the input of the rule to a target', () => {
    const { stop } = runSchedule(aSchedule([{ ...target, input: '{"shard":3}' }]), { functions, log: () => undefined });
    vi.advanceTimersByTime(60_000);
    stop();
    expect(invoke).toHaveBeenLastCalledWith(target.functionArn, { shard: 3 });
  });
});
