import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { exceededLimits, type Template } from '../builders/template/exceeded-limits.ts';
import { synthesizedStage, synthesizedStageWithEdge } from '../builders/template/synthesized-stage.ts';

const { account: _, region: __, edge: ___, domain: ____, ...inAnyAccount } = stages.production;

const checked = {
  ...stages,
  'production in any account, without a domain': inAnyAccount,
  'with every default': {},
  'with Fargate tasks': { fargate: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] } },
  'with watches': {
    buckets: [{ name: 'team', bucket: 'team-media', access: 'read-write' }],
    watches: [
      {
        ...{ name: 'films', bucket: 'team-media', prefix: 'raw/', preset: 'stream', enableEvents: true },
        output: { storageProviderId: 'bucket:team', key: 'out/{source}/{name}.{extension}' },
      },
    ],
  },
  'in a known account': { account: '123456789012', region: 'eu-central-1', architecture: 'x86_64' },
};

describe('the stacks of a stage', () => {
  it.each(Object.entries(checked))('pass the AwsSolutions rules as in the example: %s', (_name, settings) => {
    const stacks = synthesizedStage({
      contracts,
      settings,
      prepare: (app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)),
    });
    stacks.service.resourceCountIs('AWS::ApiGatewayV2::Api', 1);
  });

  it('fail the AwsSolutions rules with a bucket that accepts requests without TLS', () => {
    const prepare = (app: App) => {
      new Bucket(new Stack(app, 'careless'), 'Bucket');
      Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    };
    expect(() => synthesizedStage({ prepare })).toThrow('AwsSolutions-S10');
  });

  it.each([
    ['minimal', false],
    ['production', true],
    ['arm', false],
  ] as const)('have one in us-east-1 only if a certificate or a firewall is configured: %s', (name, has) => {
    expect(synthesizedStage({ settings: stages[name] }).edge !== undefined).toBe(has);
  });
});

it('a stage with every part in eu-central-2, whose prices are the longest, stays within the quotas of AWS', () => {
  const settings = {
    ...stages.production,
    region: 'eu-central-2',
    transcoder: { ...stages.production.transcoder, memoryMb: 4096 },
  };
  const { stateful, service, edge } = synthesizedStageWithEdge({ contracts, settings });
  for (const template of [stateful, service, edge]) {
    expect(exceededLimits(template.toJSON() as Template)).toEqual([]);
  }
});
