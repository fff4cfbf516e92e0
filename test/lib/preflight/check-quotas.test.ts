import { describe, expect, it } from 'vitest';
import { checkQuotas } from '../../../lib/preflight/check-quotas.ts';
import type { Quotas } from '../../../lib/preflight/read-quotas.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

const newAccount: Quotas = { concurrentExecutions: 10, requestsPerSecond: 10_000, requestBurst: 5000 };
const grown: Quotas = { ...newAccount, concurrentExecutions: 1000 };

function judge(values: object, quotas: Quotas) {
  const settings = readSettings({ dev: values }, 'dev');
  return checkQuotas(settings, quotas).map(({ requirement, status }) => `${status} ${requirement}`);
}

describe('a preflight', () => {
  it('passes the defaults in a brand-new account', () => {
    expect(judge({}, newAccount)).toEqual([
      'ok Concurrent functions: 10',
      'ok Memory of a function: 3008 MB',
      'ok API requests per second: 50',
      'ok Concurrent API requests: 100',
    ]);
  });

  it('says which quota to raise for more jobs at once, or which setting to lower', () => {
    const settings = readSettings({ dev: { transcoder: { maxConcurrency: 50 } } }, 'dev');
    expect(checkQuotas(settings, newAccount)[0]).toEqual({
      requirement: 'Concurrent functions: 58',
      status: 'raise',
      advice:
        'the quota is 10: raise "Concurrent executions" of AWS Lambda, or lower transcoder.maxConcurrency or parallel.maxParallelChunks',
    });
  });

  it('counts the chunks of a job that are encoded at the same time', () => {
    const settings = readSettings({ dev: { parallel: { maxParallelChunks: 5 } } }, 'dev');
    expect(checkQuotas(settings, newAccount)[0]).toMatchObject({
      requirement: 'Concurrent functions: 11',
      status: 'raise',
      advice: expect.stringContaining('or lower transcoder.maxConcurrency or parallel.maxParallelChunks'),
    });
  });

  it('counts the hundred executions that nobody can reserve', () => {
    const transcoder = { maxConcurrency: 50, reservedConcurrency: 901 };
    const parallel = { reservedConcurrency: 40 };
    expect(judge({ transcoder }, grown)[0]).toBe('raise Concurrent functions: 1001');
    expect(judge({ transcoder, parallel }, grown)[0]).toBe('raise Concurrent functions: 1041');
  });

  it('counts what nobody reserves where it is more than that', () => {
    const settings = { transcoder: { maxConcurrency: 200 }, parallel: { reservedConcurrency: 40 } };
    expect(judge(settings, grown)[0]).toBe('ok Concurrent functions: 244');
  });

  it('says which reserved executions to lower', () => {
    const values = { transcoder: { reservedConcurrency: 950 }, parallel: { reservedConcurrency: 40 } };
    const [concurrency] = checkQuotas(readSettings({ dev: values }, 'dev'), grown);
    expect(concurrency?.advice).toContain(
      'or lower transcoder.reservedConcurrency or parallel.reservedConcurrency',
    );
  });

  it.each([
    [newAccount, 'unknown'],
    [grown, 'ok'],
  ])('knows large memory from the concurrency alone, since AWS tells no quota of it', (quotas, status) => {
    const [, memory] = judge({ transcoder: { memoryMb: 10_240 } }, quotas);
    expect(memory).toBe(`${status} Memory of a function: 10240 MB`);
  });

  it('says what the gateway must be raised to', () => {
    const values = { throttling: { requestsPerSecond: 9000, burst: 4000 } };
    const [, , rate, burst] = judge(values, { ...grown, requestsPerSecond: 2500, requestBurst: 1250 });
    expect([rate, burst]).toEqual([
      'raise API requests per second: 9000',
      'raise Concurrent API requests: 4000',
    ]);
  });

  it('does not take a quota for granted that AWS does not tell', () => {
    const [, , rate] = judge({}, { ...grown, requestsPerSecond: undefined });
    expect(rate).toBe('unknown API requests per second: 50');
  });
});
