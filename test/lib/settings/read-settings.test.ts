import { describe, expect, it } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { readSettings } from '../../../lib/settings/read-settings.ts';

const read = (values: Record<string, unknown>, stage = 'dev') => readSettings({ [stage]: values }, stage);

describe('the settings of a stage', () => {
  it('have defaults that a new account can deploy', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      tenancy: 'single',
      architecture: 'x86_64',
      transcoder: { memoryMb: 3008, maxConcurrency: 2 },
      parallel: { targetChunkSeconds: 60, maxParallelChunks: 4, maxSinglePassSeconds: 300 },
      signedUrlSeconds: 3600,
      maxQueuedHours: 24,
      webhooks: { laterAttempts: [], schemes: ['https'] },
      inputLimits: {
        sizeBytes: 50_000_000_000,
        durationSeconds: 28_800,
        width: 8192,
        height: 8192,
        streams: 32,
      },
      reachablePrivateAddresses: [],
    });
  });

  it('reserve no concurrency and restrict no origin by default', () => {
    const settings = read({});
    expect(settings.transcoder.reservedConcurrency).toBeUndefined();
    expect(settings.parallel.reservedConcurrency).toBeUndefined();
    expect(settings.dashboardOrigin).toBeUndefined();
  });

  it.each(Object.keys(cdkJson.context.stages))('of stage %s in cdk.json are valid', (stage) => {
    expect(readSettings(cdkJson.context.stages, stage).stage).toBe(stage);
  });

  it('let the local stage send webhooks over http to this machine', () => {
    const local = readSettings(cdkJson.context.stages, 'local');
    expect(local.webhooks.schemes).toContain('http');
    expect(local.reachablePrivateAddresses).toEqual(['localhost:*']);
  });

  it('let the local stage have several owners, so that their isolation is tested', () => {
    expect(readSettings(cdkJson.context.stages, 'local').tenancy).toBe('multi');
  });
});

describe('the region of a stage that sets none', () => {
  const regionOf = (values: object, region: string | undefined) =>
    readSettings({ dev: values }, 'dev', { region }).region;

  it('is the one that CDK resolves', () => {
    expect(regionOf({}, 'eu-south-1')).toBe('eu-south-1');
    expect(regionOf({ region: 'eu-central-1' }, 'eu-south-1')).toBe('eu-central-1');
    expect(regionOf({}, undefined)).toBeUndefined();
  });

  it('is validated like any other', () => {
    expect(() => regionOf({}, 'cn-north-1')).toThrow('must not be a region in China');
  });
});

describe('an invalid setting', () => {
  it.each([
    [
      { transcoder: { memoryMb: 64 } },
      'Setting "transcoder.memoryMb" of stage "dev" is invalid: must be at least 1024 (found: 64).',
    ],
    [{ transcoder: { memory: 64 } }, 'Setting "transcoder.memory" of stage "dev" is unknown.'],
    [{ fargate: {} }, 'Setting "fargate.vpcId" of stage "dev" is invalid: required (found: nothing).'],
    [
      { account: 123_456_789_012 },
      'Setting "account" of stage "dev" is invalid: must be a string (found: 123456789012).',
    ],
    [{ budget: true }, 'Setting "budget" of stage "dev" is invalid: must be an object (found: true).'],
    [
      { tenancy: 'multi', ownerLimits: { usdPerDay: -1 } },
      'Setting "ownerLimits.usdPerDay" of stage "dev" is invalid: must be at least 0 (found: -1).',
    ],
    [{ colour: 'red' }, 'Setting "colour" of stage "dev" is unknown.'],
    [
      { architecture: 'mips' },
      'Setting "architecture" of stage "dev" is invalid: must be arm64 or x86_64 (found: "mips").',
    ],
    [
      { webhooks: { laterAttempts: ['5m', '30s'] } },
      'Setting "webhooks.laterAttempts.1" of stage "dev" is invalid: must be minutes or hours from 1m to 72h, such as 30m (found: "30s").',
    ],
    [
      { transcoder: { maxConcurrency: 5, reservedConcurrency: 3 } },
      'Setting "transcoder.reservedConcurrency" of stage "dev" is invalid: must be at least transcoder.maxConcurrency, or the queue would deliver jobs that Lambda throttles (found: 3).',
    ],
    [
      { parallel: { maxConcurrency: 10, reservedConcurrency: 9 } },
      'Setting "parallel.reservedConcurrency" of stage "dev" is invalid: must be at least parallel.maxConcurrency, or the queue would deliver chunks that Lambda throttles (found: 9).',
    ],
    [
      { parallel: { maxParallelChunks: 201 } },
      'Setting "parallel.maxParallelChunks" of stage "dev" is invalid: must be at most 200 (found: 201).',
    ],
    [
      { dashboardOrigin: 'https://media.example.com/app' },
      'Setting "dashboardOrigin" of stage "dev" is invalid: must be an origin such as https://media.example.com, with no path and no final slash (found: "https://media.example.com/app").',
    ],
    [
      { webhooks: { schemes: ['https', 'http'] } },
      'Setting "webhooks.schemes" of stage "dev" is invalid: must be https only: only the stage "local" may send webhooks over http (found: ["https","http"]).',
    ],
    [
      { reachablePrivateAddresses: ['10.0.0.1:80'] },
      'Setting "reachablePrivateAddresses" of stage "dev" is invalid: must be empty: only the stage "local" may connect to private addresses (found: ["10.0.0.1:80"]).',
    ],
    [
      { account: '123456789012', region: 'us-gov-west-1', edge: { requestsPerAddress: 1000 } },
      'Setting "region" of stage "dev" is invalid: must not be in GovCloud, which has no CloudFront for a dashboard, a domain or a firewall (found: "us-gov-west-1").',
    ],
    [
      { region: 'eu-central-2', budget: { usdPerMonth: 500, email: 'bills@example.com' } },
      'Setting "budget" of stage "dev" is invalid: must be unset in this region, where CloudFormation has no AWS::Budgets::Budget',
    ],
  ])('is rejected in one sentence with name and reason: %j', (values, sentence) => {
    expect(() => read(values)).toThrow(sentence);
  });

  it.each([
    ['signedUrlSeconds', 604_801],
    ['signedUrlSeconds', '3600'],
    ['outputRetentionDays', 0],
    ['maxQueuedHours', 1.5],
    ['logRetentionDays', 31],
    ['account', '1234'],
    ['region', 'Frankfurt'],
    ['region', 'cn-north-1'],
    ['dashboardOrigin', 'media.example.com'],
  ])('is rejected by name: %s = %j', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(`Setting "${name}" of stage "dev" is invalid: must`);
  });

  it.each([
    ['table', 'a table'],
    ['deletedFileRetentionDays', 0],
  ])('is rejected inside of recovery: %s = %j', (name, value) => {
    expect(() => read({ recovery: { [name]: value } })).toThrow(
      `Setting "recovery.${name}" of stage "dev" is invalid: must`,
    );
  });

  it('may be the name of the stage itself', () => {
    expect(() => read({}, 'Production')).toThrow('Setting "stage" of stage "Production" is invalid');
  });
});

describe('an unknown stage', () => {
  it('is rejected with the names of the existing ones', () => {
    expect(() => readSettings({ dev: {}, prod: {} }, 'prdo')).toThrow(
      'There is no stage "prdo" in cdk.json (context "stages"); there are: dev, prod.',
    );
  });

  it('is not looked up in the prototype of objects', () => {
    expect(() => readSettings({ dev: {} }, 'constructor')).toThrow('There is no stage "constructor"');
  });
});
