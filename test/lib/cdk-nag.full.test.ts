import { Stack, Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

describe('the stacks', () => {
  it.each([
    ['with every default', {}],
    ['with Fargate tasks', { fargate: { vpcId: 'vpc-0a1b2c3d', subnetIds: ['subnet-0a1b2c3d'] } }],
    ['in a known account', { account: '123456789012', region: 'eu-central-1', architecture: 'x86_64' }],
  ])('pass the AwsSolutions rules %s', (_, settings) => {
    expect(() =>
      synthesizedStage({
        contracts,
        settings,
        prepare: (app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)),
      }),
    ).not.toThrow();
  });

  it('fail them with a bucket that accepts requests without TLS', () => {
    expect(() =>
      synthesizedStage({
        prepare: (app) => {
          new Bucket(new Stack(app, 'careless'), 'Bucket');
          Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
        },
      }),
    ).toThrow('AwsSolutions-S10');
  });
});
