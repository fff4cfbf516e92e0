import { Match } from 'aws-cdk-lib/assertions';
import { expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { pricesOf } from '../../core/pricing/region-prices.ts';
import { pricedStage } from '../../lib/priced-workers.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const { service } = synthesizedStage({ settings: { region: 'sa-east-1' }, contracts });

it.each([
  ['reconcile', 'PRICED_STAGE'],
  ['transcode', 'PRICED_STAGE'],
  ['transcode', 'PRICED_WORKERS'],
  ['submission', 'PRICED_WORKERS'],
])('%s prices jobs as in the region of the stage: %s', (name, variable) => {
  const prices = Match.serializedJson(Match.objectLike({ prices: pricesOf('sa-east-1') }));
  service.hasResourceProperties('AWS::Lambda::Function', {
    FunctionName: `media-jobs-test-${name}`,
    Environment: { Variables: Match.objectLike({ [variable]: prices }) },
  });
});

it('a stage whose deleted files can be restored prices their storage until S3 removes them', () => {
  const priced = (recovery: object) =>
    pricedStage(readSettings({ test: { outputRetentionDays: 7, recovery } }, 'test')).retentionDays;
  expect(priced({ deletedFileRetentionDays: 30 })).toBe(37);
  expect(priced({})).toBe(7);
});

it('the environment of each function stays below the four kilobytes of Lambda', () => {
  for (const one of resourcesOf(service, 'AWS::Lambda::Function')) {
    const { FunctionName, Environment } = one as { FunctionName?: string; Environment?: object };
    expect(JSON.stringify(Environment ?? {}).length, FunctionName).toBeLessThan(4096);
  }
});
