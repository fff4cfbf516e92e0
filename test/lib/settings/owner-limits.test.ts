import { describe, expect, it } from 'vitest';
import { divideCapacity } from '../../../lib/settings/capacity.ts';
import { ownerLimitsOf } from '../../../lib/settings/owner-limits.ts';
import { readSettings } from '../../../lib/settings/read-settings.ts';

const read = (values: object) => readSettings({ dev: values }, 'dev');

describe('a stage of one team', () => {
  it('has no limits but those that the service itself needs', () => {
    expect(ownerLimitsOf(read({}))).toEqual({
      maxRunningJobs: 10,
      maxBatchChunks: 2,
      maxSlowDeliveries: 1,
      maxKeys: 10_000,
      maxOpenBatches: 100,
    });
    expect(ownerLimitsOf(read({ capacity: 1_000 })).maxSlowDeliveries).toBe(50);
  });

  it('has as many running jobs as functions can work on, and more with Fargate tasks', () => {
    const settings = { capacity: 200 };
    const { workers, chunks } = divideCapacity(settings);
    const fargate = { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] };
    expect(ownerLimitsOf(read(settings)).maxRunningJobs).toBe(workers + chunks);
    expect(ownerLimitsOf(read({ ...settings, fargate })).maxRunningJobs).toBe(workers + chunks + 100);
  });

  it('rejects limits of owners', () => {
    expect(() => read({ ownerLimits: { maxRunningJobs: 5 } })).toThrow(
      'Setting "ownerLimits" of stage "dev" is invalid: must be unset: a stage whose tenancy is single has no limits of owners',
    );
  });

  it.each([
    ['a claim without its value', { organisationClaim: 'org_id' }],
    ['a value without a claim', { organisation: 'acme' }],
  ])('rejects an identity provider with %s', (_, more) => {
    const identityProvider = { issuer: 'https://id.example', audience: 'api', ...more };
    expect(() => read({ identityProvider })).toThrow('"identityProvider.organisation"');
  });
});

describe('a stage of several owners', () => {
  it('has the default limits of owners, or those that are set', () => {
    expect(ownerLimitsOf(read({ tenancy: 'multi' }))).toEqual({
      maxUnfinishedJobs: 1_000,
      maxRunningJobs: 10,
      maxRunningChunks: 2,
      maxUploadBytesPerDay: 100_000_000_000,
      maxRedeliveriesPerJob: 10,
      maxSlowDeliveries: 1,
      maxSlowOrigins: 20,
      maxKeys: 1_000,
      maxOpenBatches: 10,
    });
    const ownerLimits = { maxRunningJobs: 5, usdPerDay: 2 };
    expect(ownerLimitsOf(read({ tenancy: 'multi', ownerLimits }))).toMatchObject(ownerLimits);
  });

  it('takes any organization of its claim, and no single one', () => {
    const identityProvider = { issuer: 'https://id.example', audience: 'api', organisationClaim: 'org_id' };
    expect(() => read({ tenancy: 'multi', identityProvider })).not.toThrow();
    const withOne = { ...identityProvider, organisation: 'acme' };
    expect(() => read({ tenancy: 'multi', identityProvider: withOne })).toThrow('"identityProvider.organisation"');
  });

  it.each([
    [10, 1],
    [1_000, 2],
  ])('leaves half of the first attempts to receivers that are not slow, or more: capacity %i', (capacity, slow) => {
    expect(ownerLimitsOf(read({ tenancy: 'multi', capacity })).maxSlowDeliveries).toBe(slow);
  });
});
