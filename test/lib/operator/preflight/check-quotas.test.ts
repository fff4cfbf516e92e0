import { describe, expect, it } from 'vitest';
import { checkQuotas } from '../../../../lib/operator/preflight/check-quotas.ts';
import type { Quotas } from '../../../../lib/operator/preflight/read-quotas.ts';
import { readSettings } from '../../../../lib/settings/read-settings.ts';

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
      'ok Concurrent executions: 10',
      'ok At once: 2 jobs, 3 chunks (3 of one job), 2 joins, 2 first attempts of webhooks, 1 of API and others',
      'warn Only 10 executions at once in this account',
      'ok Memory of a function: 3008 MB',
      'ok API requests per second: 50',
      'ok Concurrent API requests: 100',
    ]);
  });

  it('counts what other functions of the account do not reserve', () => {
    expect(check({}, { ...grown, availableExecutions: 9 })[0]).toBe('raise Concurrent executions: 10');
  });

  it('names the quota to raise for more capacity, or the setting to lower', () => {
    expect(findingOf('Concurrent executions', { capacity: 1_000 }, newAccount)).toEqual({
      status: 'raise',
      advice: 'unreserved in the account: 10; raise "Concurrent executions" of AWS Lambda, or lower capacity',
    });
  });

  it('counts first attempts of webhooks beyond their share', () => {
    const values = { webhooks: { firstAttempts: 12 } };
    expect(check(values, newAccount)[0]).toBe('raise Concurrent executions: 20');
  });

  it('names the capacity that the account offers', () => {
    expect(findingOf('Concurrent executions', {}, grown).advice).toContain('set capacity to up to 1000');
  });

  it.each([
    [{}, 'nothing is reserved: that needs a capacity of 1000'],
    [{ capacity: 1_000 }, 'jobs, chunks and joins reserve theirs'],
  ])('says what is reserved: settings %j', (values, advice) => {
    expect(findingOf('At once', values, grown)).toEqual({ status: 'ok', advice });
  });

  it.each([
    [newAccount, 'unknown'],
    [grown, 'ok'],
  ])('infers the memory limit from the concurrency, since AWS returns no quota for it', (quotas, status) => {
    const findings = check({ transcoder: { memoryMb: 10_240 } }, quotas);
    expect(findings).toContain(`${status} Memory of a function: 10240 MB`);
  });

  it('names the quotas of API Gateway to raise', () => {
    const values = { requestsPerSecond: 9000 };
    const [rate, burst] = check(values, { ...grown, requestsPerSecond: 2500, requestBurst: 1250 }).slice(-2);
    expect([rate, burst]).toEqual(['raise API requests per second: 9000', 'raise Concurrent API requests: 5000']);
  });

  it('compares the vCPUs of a Fargate task with the quota of its capacity', () => {
    const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
    expect(check({ fargate }, newAccount).at(-1)).toBe('ok vCPUs of Fargate: 4');
    const large = { ...fargate, vcpus: 8 };
    expect(check({ fargate: large }, newAccount).at(-1)).toBe('raise vCPUs of Fargate: 8');
    const spot = { ...fargate, spot: true };
    expect(check({ fargate: spot }, newAccount).at(-1)).toBe('raise vCPUs of Fargate Spot: 4');
  });

  it('counts the vCPUs of all tasks of the pool, in Spot capacity and in that to which it falls back', () => {
    const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'], pool: { maxTasks: 3 } };
    const account = { ...newAccount, fargateSpotVcpus: 24 };
    const [ofPool, ofJobs] = check({ fargate }, account).slice(-2);
    expect([ofPool, ofJobs]).toEqual(['ok vCPUs of Fargate Spot: 24', 'ok vCPUs of Fargate: 4']);
    const fallsBack = { ...fargate, spot: true, pool: { maxTasks: 3, fallback: 'on-demand' } };
    const findings = ['raise vCPUs of Fargate Spot: 28', 'raise vCPUs of Fargate: 24'];
    expect(check({ fargate: fallsBack }, account).slice(-2)).toEqual(findings);
  });

  it('reports a quota that AWS does not return as unknown, and names it', () => {
    expect(findingOf('API requests', {}, { ...grown, requestsPerSecond: undefined })).toEqual({
      status: 'unknown',
      advice: 'AWS did not return the quota: check "Throttle rate" of Amazon API Gateway, or lower requestsPerSecond',
    });
  });
});
