import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { describe, expect, it } from 'vitest';
import stages from '../../../../docs/examples/stages.json' with { type: 'json' };
import { describeRemainder } from '../../../../lib/operator/destroy/remainder.ts';
import { synthesizedStageWithEdge } from '../../../builders/template/synthesized-stage.ts';

const { account, region } = stages.production;
const mediaBucket = 'media-jobs-test-123456789012-eu-central-1-media';
const remainder = { stage: 'test', account, region, madeBuckets: ['team-media'] };

/** So long that a page of them is longer than Linux allows for one argument. */
const page = {
  Objects: Array.from({ length: 1_000 }, (_, index) => ({ Key: `${'k'.repeat(200)}${index}`, VersionId: 'v' })),
  Quiet: true,
};

/**
 * Runs the command of the last line with a program `aws` whose buckets have one page of objects each.
 * @param error of each removal, as the program prints it; None if it succeeds
 * @returns the calls of the program, and the lists of objects that it removed
 */
async function runCommand(error = 'None') {
  const directory = await aTemporaryFolder();
  await writeFile(join(directory, 'page.json'), JSON.stringify(page));
  const aws = `#!/bin/sh
echo "$*" >> "$0.calls"
case "$*" in
*list-object-versions*) if [ -e "$0.listed-$4" ]; then echo '{"Objects":[],"Quiet":true}'; else touch "$0.listed-$4"; cat "${directory}/page.json"; fi ;;
*delete-objects*) cat >> "$0.removed"; echo >> "$0.removed"; echo '${error}' ;;
esac`;
  await writeFile(join(directory, 'aws'), aws, { mode: 0o755 });
  const [, command = ''] = describeRemainder(remainder).split('all records and files: ');
  const env = { PATH: `${directory}:${process.env.PATH}` };
  const ended = await promisify(execFile)('sh', ['-c', command], { env }).then(
    () => 'ended',
    ({ stderr }) => String(stderr).trim(),
  );
  const lines = async (name: string) => (await readFile(join(directory, name), 'utf8')).trim().split('\n');
  return { ended, calls: await lines('aws.calls'), removed: await lines('aws.removed') };
}

describe('the last line of destroy', () => {
  it('names what stays, what it costs a month, and the command that removes it', () => {
    const sentence = describeRemainder(remainder);
    expect(sentence).not.toContain('\n');
    expect(sentence).toContain(
      `Kept: table media-jobs-test-123456789012-jobs, buckets ${mediaBucket}, team-media and key`,
    );
    expect(sentence).toContain('at $1.00 for the key, $0.25 for each GB of the table and $0.02');
    expect(describeRemainder({ ...remainder, madeBuckets: [] })).toContain(`, bucket ${mediaBucket} and key`);
  });

  it('has a command that removes all versions of all objects, then the buckets', async () => {
    const { ended, calls, removed } = await runCommand();
    expect(ended).toBe('ended');
    expect(removed.map((line) => JSON.parse(line))).toEqual([page, page]);
    for (const call of [
      'cloudformation delete-stack --stack-name media-jobs-test-stateful',
      'dynamodb delete-table --table-name media-jobs-test-123456789012-jobs',
      `s3 rb s3://${mediaBucket}`,
      's3 rb s3://team-media',
    ])
      expect(calls).toContain(call);
    expect(calls.at(-1)).toContain('kms schedule-key-deletion');
  });

  it('has a command that ends at an object that cannot be removed', async () => {
    const { ended, calls } = await runCommand('k0 AccessDenied');
    expect(ended).toBe('k0 AccessDenied');
    expect(calls.at(-1)).toContain(`delete-objects --bucket ${mediaBucket}`);
  });
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
