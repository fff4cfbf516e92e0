import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { allowedBy } from '../builders/template/template-policies.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

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
        Match.objectLike({ Prefix: 'jobs/', NoncurrentVersionExpiration: { NoncurrentDays: days }, Status: 'Enabled' }),
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
    plain.stateful.hasResourceProperties('AWS::S3::Bucket', { VersioningConfiguration: Match.absent(), ...rulesOf(1) });
  });

  it('expire by rules that S3 accepts in either form: of one action, no prefix begins with another', () => {
    const { LifecycleConfiguration } = theOnly(plain.stateful, 'AWS::S3::Bucket');
    const { Rules } = LifecycleConfiguration as { Rules: ({ Prefix?: string } & Record<string, unknown>)[] };
    for (const action of ['ExpirationInDays', 'NoncurrentVersionExpiration', 'AbortIncompleteMultipartUpload']) {
      const prefixes = Rules.filter((rule) => action in rule).map(({ Prefix = '' }) => Prefix);
      const overlapping = prefixes.filter((prefix, index) =>
        prefixes.some((other, at) => at !== index && other.startsWith(prefix)),
      );
      expect(prefixes.length, action).toBeGreaterThan(0);
      expect(overlapping, action).toEqual([]);
    }
  });
});
