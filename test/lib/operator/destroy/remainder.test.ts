import { expect, it } from 'vitest';
import stages from '../../../../docs/examples/stages.json' with { type: 'json' };
import { describeRemainder } from '../../../../lib/operator/destroy/remainder.ts';
import { synthesizedStageWithEdge } from '../../../builders/template/synthesized-stage.ts';

const { account, region } = stages.production;

it('names what stays, what it costs a month, and the command that removes it', () => {
  const sentence = describeRemainder({ stage: 'test', account, region });
  expect(sentence).not.toContain('\n');
  expect(sentence).toContain('at $1.00 for the key, $0.25 for each GB of the table and $0.02');
  for (const command of [
    'delete-stack --stack-name media-jobs-test-stateful',
    'delete-table --table-name media-jobs-test-123456789012-jobs',
    'empty_bucket media-jobs-test-123456789012-eu-central-1-media && aws s3 rb s3://media-jobs-test-123456789012-eu-central-1-media',
    'schedule-key-deletion',
  ]) {
    expect(sentence).toContain(command);
  }
});

it('names the buckets that the settings made', () => {
  const sentence = describeRemainder({ stage: 'test', account, region, madeBuckets: ['team-media'] });
  expect(sentence).toContain(', buckets media-jobs-test-123456789012-eu-central-1-media, team-media and key');
  expect(sentence).toContain('empty_bucket team-media && aws s3 rb s3://team-media');
});

it('no other resource is kept', () => {
  const { stateful, service, edge } = synthesizedStageWithEdge({ settings: stages.production });
  const kept = [stateful, service, edge].flatMap((template) =>
    Object.values<{ Type: string; DeletionPolicy?: string }>(template.toJSON().Resources).flatMap(
      ({ Type, DeletionPolicy = 'Delete' }) => (DeletionPolicy === 'Delete' ? [] : [Type]),
    ),
  );
  expect(kept.toSorted()).toEqual(['AWS::DynamoDB::Table', 'AWS::KMS::Alias', 'AWS::KMS::Key', 'AWS::S3::Bucket']);
});
