import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { readSettings } from '../../../lib/settings/read-settings.ts';
import { settingsSchema } from '../../../lib/settings/settings.ts';

type Schema = { description?: string; properties?: Record<string, Schema> };

function leavesOf(schema: Schema): Schema[] {
  return schema.properties === undefined ? [schema] : Object.values(schema.properties).flatMap(leavesOf);
}

const read = (values: Record<string, unknown>, stage = 'dev') => readSettings({ [stage]: values }, stage);

describe('the settings of a stage', () => {
  it('have defaults that a new account can deploy', () => {
    expect(read({})).toMatchObject({
      stage: 'dev',
      tenancy: 'single',
      architecture: 'x86_64',
      capacity: 10,
      transcoder: { memoryMb: 3008 },
      signedUrlSeconds: 3600,
      maxQueuedHours: 24,
      webhooks: { laterAttempts: [] },
      inputLimits: { sizeBytes: 50_000_000_000, durationSeconds: 28_800 },
    });
  });

  it('are at most 66, each with a description', () => {
    const schema = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });
    const settings = leavesOf(schema as Schema);
    expect(settings.length).toBeLessThanOrEqual(66);
    for (const { description } of settings) expect(description).toBeTruthy();
  });

  it('restrict no origin by default', () => expect(read({}).dashboardOrigin).toBeUndefined());

  it.each(Object.keys(cdkJson.context.stages))('of stage %s in cdk.json are valid', (stage) => {
    expect(readSettings(cdkJson.context.stages, stage).stage).toBe(stage);
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
    [
      { tenancy: 'multi', ownerLimits: { usdPerDay: -1 } },
      'Setting "ownerLimits.usdPerDay" of stage "dev" is invalid: must be at least 0 (found: -1).',
    ],
    [
      { budgetUsdPerMonth: 500 },
      'Setting "alarmEmail" of stage "dev" is invalid: must be set with budgetUsdPerMonth: it receives the messages (found: nothing).',
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
      { dashboardOrigin: 'https://media.example.com/app' },
      'Setting "dashboardOrigin" of stage "dev" is invalid: must be an origin such as https://media.example.com, with no path and no final slash (found: "https://media.example.com/app").',
    ],
    [
      { account: '123456789012', region: 'us-gov-west-1', edge: { requestsPerAddress: 1000 } },
      'Setting "region" of stage "dev" is invalid: must not be in GovCloud, which has no CloudFront for a dashboard or a firewall (found: "us-gov-west-1").',
    ],
    [
      { region: 'us-gov-west-1', budgetUsdPerMonth: 500, alarmEmail: 'bills@example.com' },
      'Setting "budgetUsdPerMonth" of stage "dev" is invalid: must be unset in GovCloud, which has no AWS::Budgets::Budget',
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
    ['region', 'us-iso-east-1'],
    ['region', 'ap-east-2'],
    ['region', 'ap-southeast-6'],
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
