import { describe, expect, it } from 'vitest';
import { checkQuotas } from '../../../lib/preflight/check-quotas.ts';
import type { Quotas } from '../../../lib/preflight/read-quotas.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

const newAccount: Quotas = {
  concurrentExecutions: 10,
  availableExecutions: 10,
  requestsPerSecond: 10_000,
  requestBurst: 5000,
  fargateVcpus: 6,
  fargateSpotVcpus: 0,
};
const grown: Quotas = { ...newAccount, concurrentExecutions: 1000, availableExecutions: 1000 };

function check(values: object, quotas: Quotas) {
  const settings = readSettings({ dev: values }, 'dev');
  return checkQuotas(settings, quotas).map(({ requirement, status }) => `${status} ${requirement}`);
}

function findingOf(name: string, values: object, quotas: Quotas) {
  const settings = readSettings({ dev: values }, 'dev');
  const found = checkQuotas(settings, quotas).find(({ requirement }) => requirement.startsWith(name));
  if (found === undefined) throw new Error(`No finding begins with ${name}`);
  return { status: found.status, advice: found.advice };
}

describe('a preflight', () => {
  it('passes the defaults in a brand-new account', () => {
    expect(check({}, newAccount)).toEqual([
      'ok Concurrent functions: 10',
      'ok Memory of a function: 3008 MB',
      'ok First attempts of webhooks at once: 2',
      'ok Chunks of one job at once: 3',
      'ok API requests per second: 50',
      'ok Concurrent API requests: 100',
    ]);
  });

  it('counts what other functions of the account do not reserve', () => {
    expect(check({}, { ...grown, availableExecutions: 9 })[0]).toBe('raise Concurrent functions: 10');
  });

  it('names the quota to raise for more concurrent jobs, or the setting to lower', () => {
    const settings = readSettings({ dev: { transcoder: { maxConcurrency: 50 } } }, 'dev');
    expect(checkQuotas(settings, newAccount)[0]).toEqual({
      requirement: 'Concurrent functions: 58',
      status: 'raise',
      advice:
        'unreserved in the account: 10; raise "Concurrent executions" of AWS Lambda, or lower transcoder.maxConcurrency or parallel.maxConcurrency',
    });
  });

  it('counts the chunks that are encoded at the same time', () => {
    const settings = readSettings({ dev: { parallel: { maxConcurrency: 4 } } }, 'dev');
    expect(checkQuotas(settings, newAccount)[0]).toMatchObject({
      requirement: 'Concurrent functions: 11',
      status: 'raise',
      advice: expect.stringContaining('or lower transcoder.maxConcurrency or parallel.maxConcurrency'),
    });
  });

  it('counts a join for each 20 of them', () => {
    expect(check({ parallel: { maxConcurrency: 100 } }, grown)[0]).toBe('ok Concurrent functions: 110');
  });

  it('counts the first attempts of webhooks, which receivers that never respond hold', () => {
    const quotas = { ...grown, concurrentExecutions: 105, availableExecutions: 105 };
    const workers = { transcoder: { maxConcurrency: 90 } };
    expect(check({ ...workers, accountConcurrency: 20 }, quotas)[0]).toBe('ok Concurrent functions: 98');
    expect(check({ ...workers, accountConcurrency: 105 }, quotas)[0]).toBe('raise Concurrent functions: 106');
  });

  it('counts the hundred executions that cannot be reserved', () => {
    const transcoder = { maxConcurrency: 50, reservedConcurrency: 901 };
    const parallel = { reservedConcurrency: 40 };
    expect(check({ transcoder }, grown)[0]).toBe('raise Concurrent functions: 1001');
    expect(check({ transcoder, parallel }, grown)[0]).toBe('raise Concurrent functions: 1041');
  });

  it('counts unreserved executions if they are more than that', () => {
    const settings = { transcoder: { maxConcurrency: 200 }, parallel: { reservedConcurrency: 40 } };
    expect(check(settings, grown)[0]).toBe('ok Concurrent functions: 245');
  });

  it('counts the concurrency that is reserved because a setting declares it', () => {
    const values = { accountConcurrency: 1000 };
    expect(check(values, grown)[0]).toBe('ok Concurrent functions: 108');
    const [concurrency] = checkQuotas(readSettings({ dev: values }, 'dev'), newAccount);
    expect(concurrency).toMatchObject({
      status: 'raise',
      advice: expect.stringContaining('or parallel.maxConcurrency or accountConcurrency'),
    });
  });

  it('names the reserved concurrency to lower', () => {
    const values = { transcoder: { reservedConcurrency: 950 }, parallel: { reservedConcurrency: 40 } };
    const [concurrency] = checkQuotas(readSettings({ dev: values }, 'dev'), grown);
    expect(concurrency?.advice).toContain(
      'or lower transcoder.reservedConcurrency or parallel.reservedConcurrency',
    );
  });

  it.each([
    [newAccount, 'unknown'],
    [grown, 'ok'],
  ])('infers the memory limit from the concurrency, since AWS returns no quota for it', (quotas, status) => {
    const [, memory] = check({ transcoder: { memoryMb: 10_240 } }, quotas);
    expect(memory).toBe(`${status} Memory of a function: 10240 MB`);
  });

  it.each([
    [{}, newAccount, 'by accountConcurrency 10'],
    [
      {},
      grown,
      'by accountConcurrency 10; the quota of the account is 1000: set accountConcurrency to it for 100',
    ],
    [{ accountConcurrency: 1000 }, grown, 'by accountConcurrency 1000'],
  ])('says how many webhooks are attempted at once: settings %j', (values, quotas, advice) => {
    expect(findingOf('First attempts of webhooks', values, quotas)).toEqual({ status: 'ok', advice });
  });

  it.each([
    [{}, 'parallel.maxConcurrency'],
    [{ tenancy: 'multi' }, 'ownerLimits.maxRunningChunks'],
    [
      { tenancy: 'multi', ownerLimits: { maxRunningChunks: 3 } },
      'parallel.maxConcurrency and ownerLimits.maxRunningChunks',
    ],
    [{ parallel: { maxConcurrency: 60, maxParallelChunks: 40 } }, 'parallel.maxParallelChunks'],
  ])('says what limits the chunks of a job: settings %j', (values, names) => {
    const { advice } = findingOf('Chunks of one job', values, grown);
    expect(advice).toBe(`limited by ${names}`);
  });

  it('names the quotas of API Gateway to raise', () => {
    const values = { throttling: { requestsPerSecond: 9000, burst: 4000 } };
    const [rate, burst] = check(values, { ...grown, requestsPerSecond: 2500, requestBurst: 1250 }).slice(-2);
    expect([rate, burst]).toEqual([
      'raise API requests per second: 9000',
      'raise Concurrent API requests: 4000',
    ]);
  });

  it('compares the vCPUs of a Fargate task with the quota of its capacity', () => {
    const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
    expect(check({ fargate }, newAccount).at(-1)).toBe('ok vCPUs of Fargate: 4');
    const large = { ...fargate, vcpus: 8, memoryGb: 16 };
    expect(check({ fargate: large }, newAccount).at(-1)).toBe('raise vCPUs of Fargate: 8');
    const spot = { ...fargate, spot: true };
    expect(check({ fargate: spot }, newAccount).at(-1)).toBe('raise vCPUs of Fargate Spot: 4');
  });

  it('reports a quota that AWS does not return as unknown, and names it', () => {
    expect(findingOf('API requests', {}, { ...grown, requestsPerSecond: undefined })).toEqual({
      status: 'unknown',
      advice:
        'AWS did not return the quota: check "Throttle rate" of Amazon API Gateway, or lower throttling.requestsPerSecond',
    });
  });
});
