import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { allowedBy } from '../builders/template/template-policies.ts';
import { resourcesOf } from '../builders/template/template-resources.ts';

const plain = synthesizedStage({ contracts });

describe('a restored table', () => {
  const table = 'test-restored';
  const restored = synthesizedStage({ contracts, settings: { recovery: { table } } });

  it('is used by every function', () => {
    const names = resourcesOf(restored.service, 'AWS::Lambda::Function').map(
      ({ Environment }) => (Environment as { Variables: { TABLE_NAME?: string } }).Variables.TABLE_NAME,
    );
    expect(new Set(names.filter((name) => name !== undefined))).toEqual(new Set([table]));
  });

  it('is the only table that functions have permissions for', () => {
    const tables = allowedBy(restored.service)
      .filter(({ actions }) => actions.some((action) => action.startsWith('dynamodb:')))
      .flatMap(({ resources }) => resources);
    expect(tables.length).toBeGreaterThan(0);
    for (const arn of tables) expect(arn).toMatch(/:table\/test-restored(\/index\/\w+)?$/);
  });

  it('does not change the stack of the lost table', () => {
    expect(restored.stateful.toJSON()).toEqual(plain.stateful.toJSON());
  });
});

describe('deleted files', () => {
  const rulesOf = (days: number) => ({
    LifecycleConfiguration: {
      Rules: Match.arrayWith([
        Match.objectLike({ NoncurrentVersionExpiration: { NoncurrentDays: days }, Status: 'Enabled' }),
      ]),
    },
  });

  it('are kept for the configured number of days', () => {
    const { stateful } = synthesizedStage({ settings: { recovery: { deletedFileRetentionDays: 7 } } });
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: { Status: 'Enabled' },
      ...rulesOf(7),
    });
  });

  it('do not include uploads that a repeated PUT has replaced, nor work files', () => {
    const { stateful } = synthesizedStage({ settings: { recovery: { deletedFileRetentionDays: 90 } } });
    for (const Prefix of ['uploads/', 'work/']) {
      const rule = { Prefix, NoncurrentVersionExpiration: { NoncurrentDays: 1 } };
      stateful.hasResourceProperties('AWS::S3::Bucket', {
        LifecycleConfiguration: { Rules: Match.arrayWith([Match.objectLike(rule)]) },
      });
    }
  });

  it('are removed if the setting is unset, including those kept under an earlier setting', () => {
    plain.stateful.hasResourceProperties('AWS::S3::Bucket', {
      VersioningConfiguration: Match.absent(),
      ...rulesOf(1),
    });
  });
});
