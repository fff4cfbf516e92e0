import { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import { bucketsSchema } from '../../lib/settings/buckets.ts';
import { localOwnerId } from '../../lib/settings/local-owner.ts';
import { readSettings } from '../../lib/settings/read-settings.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { allowedBy } from '../builders/template/template-policies.ts';

const kmsKeyArn = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
const buckets = [
  { name: 'raw', bucket: 'a-raw', prefix: 'in', access: 'read', owners: ['o1'] },
  {
    name: 'done',
    bucket: 'a-done',
    prefix: '{ownerId}/out/',
    access: 'write',
    owners: ['o1', 'o2'],
    kmsKeyArn,
    create: true,
  },
];

function problemOf(bucket: object, stage: object = {}, name = 'dev'): string | undefined {
  try {
    readSettings({ [name]: { ...stage, buckets: [bucket] } }, name);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe('the setting buckets', () => {
  const one = { name: 'raw', bucket: 'a-raw', access: 'read' };
  const multi = { tenancy: 'multi' };

  it.each<[object, object, string | undefined]>([
    [one, {}, undefined],
    [one, multi, 'buckets.0.owners'],
    [{ ...one, owners: [] }, multi, 'buckets.0.owners'],
    [{ ...one, owners: ['o1'] }, multi, undefined],
    [{ ...one, owners: ['o1', 'o2'] }, multi, 'buckets.0.prefix'],
    [{ ...one, owners: ['o1', 'o2'], prefix: 'of/{ownerId}' }, multi, undefined],
    [{ ...one, owners: ['o1'] }, {}, 'buckets.0.owners'],
    [{ ...one, prefix: '{owner}/' }, {}, 'buckets.0.prefix'],
    [{ ...one, prefix: '../' }, {}, 'buckets.0.prefix'],
    [{ ...one, bucket: 'media-jobs-dev-111122223333-eu-central-1-media' }, {}, 'buckets.0.bucket'],
    [{ ...one, name: 'Raw' }, {}, 'buckets.0.name'],
    [{ ...one, access: 'all' }, {}, 'buckets.0.access'],
    [{ ...one, region: 'eu-central-1' }, {}, 'buckets.0.region'],
  ])('%j with %j: %s', (bucket, stage, path) => {
    const problem = problemOf(bucket, stage);
    if (path === undefined) expect(problem).toBeUndefined();
    else expect(problem).toContain(`"${path}"`);
  });

  it('rejects two buckets of a name, and more than fit into the environment of a function', () => {
    const settings = (list: object[]) => () => readSettings({ dev: { buckets: list } }, 'dev');
    expect(settings([one, one])).toThrow('"buckets.1.name"');
    const many = Array.from({ length: 30 }, (_, index) => ({ ...one, name: `raw-${index}` }));
    expect(settings(many)).toThrow('"buckets" of stage "dev" is invalid: must fit into an environment variable');
  });

  it('may leave out the owners on the stage local: the buckets are those of the printed key', () => {
    expect(problemOf(one, multi, 'local')).toBeUndefined();
    expect(bucketsSchema.parse([one])).toEqual([one]);
    expect(localOwnerId).toMatch(/^[\w-]{22}$/);
  });
});

describe('buckets of the account', () => {
  const { service, stateful } = synthesizedStage({ contracts, settings: { tenancy: 'multi', buckets } });

  it('are open to the functions that read, write or sign there, by bucket and prefix only', () => {
    const granted = allowedBy(service).flatMap(({ policy, actions, resources }) =>
      resources
        .filter((arn) => /a-raw|a-done|1234abcd/.test(arn))
        .flatMap((arn) =>
          actions.map(
            (action) =>
              `${policy.replace(/(IdentityRole|DefaultPolicy).*$/, '')} ${action} ${arn.replace(/^arn:.*:(?=a-|key)/, '')}`,
          ),
        ),
    );
    const functions = new Set(granted.map((each) => each.split(' ')[0]));
    expect([...functions].sort()).toEqual([
      'Files',
      'OpenJobTranscodeJob',
      'ReconcilerReconcile',
      'RunBatch',
      'Storage',
    ]);
    const of = (name: string) =>
      granted
        .filter((each) => each.startsWith(`${name} `))
        .map((each) => each.slice(name.length + 1))
        .sort();
    const prefixes = ['a-done/o1/out/*', 'a-done/o2/out/*'];
    const onDone = (...actions: string[]) =>
      actions.flatMap((action) => prefixes.map((prefix) => `${action} ${prefix}`));
    const ofSession = [
      's3:GetObject',
      's3:PutObject',
      's3:PutObjectTagging',
      's3:DeleteObject',
      's3:AbortMultipartUpload',
    ];
    expect(of('Files')).toEqual(
      ['kms:Decrypt key/1234abcd-12ab-34cd-56ef-1234567890ab', ...onDone('s3:GetObject')].sort(),
    );
    expect(of('OpenJobTranscodeJob')).toEqual(
      [
        ...['s3:GetObject a-raw/in/*', 's3:ListBucket a-raw', 's3:ListBucketMultipartUploads a-done'],
        ...ofSession.map((action) => `${action} a-done/\${aws:PrincipalTag/owner}/out/*`),
        ...['kms:Decrypt', 'kms:GenerateDataKey'].map((action) => `${action} key/1234abcd-12ab-34cd-56ef-1234567890ab`),
      ].sort(),
    );
  });

  it('are open to the session of a job whose owner has them, and to no other', () => {
    const policies = Object.values(service.findResources('AWS::IAM::Policy')).map(({ Properties }) => Properties);
    const policy = policies.find(({ PolicyName }) => PolicyName.startsWith('OpenJobTranscodeJob'));
    const statements = policy?.PolicyDocument.Statement as {
      Action: unknown;
      Resource: unknown;
      Condition?: unknown;
    }[];
    const onBuckets = statements.filter(({ Resource }) => /a-raw|a-done|1234abcd/.test(JSON.stringify(Resource)));
    expect(onBuckets.length).toBeGreaterThan(3);
    for (const { Resource, Condition } of onBuckets) {
      const owners = JSON.stringify(Resource).includes('a-raw') ? ['o1'] : ['o1', 'o2'];
      expect(Condition).toMatchObject({ StringEquals: { 'aws:PrincipalTag/owner': owners } });
    }
  });

  it('are made with create, and stay when the stage goes', () => {
    const made = Object.values(stateful.findResources('AWS::S3::Bucket', { Properties: { BucketName: 'a-done' } }));
    expect(made).toMatchObject([{ DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' }]);
    expect(JSON.stringify(made)).toContain(kmsKeyArn);
    expect(stateful).toBeInstanceOf(Template);
    expect(JSON.stringify(stateful.toJSON())).not.toContain('a-raw');
  });
});
