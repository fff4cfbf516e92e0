import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const { stateful } = synthesizedStage({
  settings: { outputRetentionDays: 14, dashboardOrigin: 'https://media.example.com' },
});

describe('the stateful stack', () => {
  it.each(Object.entries({ ...stages, recovering: { recovery: { table: 'other', deletedFileRetentionDays: 7 } } }))(
    'never changes a logical id, since a changed one would replace the table, the bucket or the key: stage %s',
    (_, settings) => {
      const template = synthesizedStage({ settings }).stateful.toJSON();
      const resources = template.Resources as Record<string, { Type: string }>;
      expect(Object.entries(resources).map(([id, { Type }]) => [id, Type])).toEqual([
        ['JobsTable10C8EDF6', 'AWS::DynamoDB::Table'],
        ['SecretsKey9BF95D68', 'AWS::KMS::Key'],
        ['SecretsAliasF9BA605B', 'AWS::KMS::Alias'],
        ['MediaBucket4022EBBF', 'AWS::S3::Bucket'],
        ['MediaBucketPolicy05DE7268', 'AWS::S3::BucketPolicy'],
      ]);
    },
  );

  it('exports nothing: an imported export cannot change', () => {
    expect(stateful.toJSON()).not.toHaveProperty('Outputs');
  });

  it.each(['AWS::DynamoDB::Table', 'AWS::S3::Bucket'])('retains its %s when the stack is deleted', (type) => {
    stateful.hasResource(type, { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
  });

  it.each(['AWS::KMS::Key', 'AWS::KMS::Alias'])('retains its %s, unless its first deployment fails', (type) => {
    stateful.hasResource(type, { DeletionPolicy: 'RetainExceptOnCreate', UpdateReplacePolicy: 'Retain' });
  });
});

describe('the table', () => {
  it('has point-in-time recovery, deletion protection and on-demand capacity', () => {
    stateful.hasResourceProperties('AWS::DynamoDB::Table', {
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  it('has a fixed name that starts with stage and account', () => {
    stateful.hasResourceProperties('AWS::DynamoDB::Table', {
      TableName: { 'Fn::Join': ['', ['media-jobs-test-', { Ref: 'AWS::AccountId' }, '-jobs']] },
    });
  });

  it('has the indexes byState, byName, waiting and due, keys only', () => {
    const keys = (hash: string, range: string) => [
      { AttributeName: hash, KeyType: 'HASH' },
      { AttributeName: range, KeyType: 'RANGE' },
    ];
    const index = (IndexName: string, hash: string, range: string) => ({
      IndexName,
      KeySchema: keys(hash, range),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    });
    stateful.hasResourceProperties('AWS::DynamoDB::Table', {
      KeySchema: keys('pk', 'sk'),
      GlobalSecondaryIndexes: [
        index('byState', 'stateKey', 'sk'),
        index('byName', 'pk', 'nameSort'),
        index('waiting', 'waitingPartition', 'waitingSort'),
        index('due', 'duePartition', 'dueAt'),
      ],
    });
  });
});

describe('the bucket', () => {
  it('blocks public access and is encrypted', () => {
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [{ ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }],
      },
    });
  });

  it('rejects requests without TLS', () => {
    stateful.hasResourceProperties('AWS::S3::BucketPolicy', {
      PolicyDocument: {
        Statement: [{ Effect: 'Deny', Action: 's3:*', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
      },
    });
  });

  it('expires uploads, unfinished uploads and work files, and outputs after the configured number of days', () => {
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      LifecycleConfiguration: {
        Rules: [
          {
            Prefix: 'uploads/',
            ExpirationInDays: 7,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            Status: 'Enabled',
          },
          {
            Prefix: 'jobs/',
            ExpirationInDays: 14,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            Status: 'Enabled',
          },
          {
            Prefix: 'kept/',
            ExpiredObjectDeleteMarker: true,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            Status: 'Enabled',
          },
          {
            Prefix: 'work/',
            ExpirationInDays: 30,
            NoncurrentVersionExpiration: { NoncurrentDays: 1 },
            Status: 'Enabled',
          },
          { AbortIncompleteMultipartUpload: { DaysAfterInitiation: 7 }, Status: 'Enabled' },
        ],
      },
    });
  });

  it('lets the dashboard upload files and read the ETag of a part, and a page of any origin play files', () => {
    stateful.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: {
        CorsRules: [
          { AllowedOrigins: ['https://media.example.com'], AllowedMethods: ['PUT'], ExposedHeaders: ['ETag'] },
          { AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'] },
        ],
      },
    });
  });

  const dashboardOrigin = 'https://media.example.com';
  const { identityProvider } = stages.production;
  const domain = { name: 'media.example.com' };
  const location = { account: '123456789012', region: 'eu-central-1' };

  it.each([
    ['any origin by default', { identityProvider }, ['*']],
    ['pages of the configured origin only, without a dashboard', { dashboardOrigin }, [dashboardOrigin]],
    [
      'the configured origin, and the dashboard under any CloudFront domain',
      { dashboardOrigin, identityProvider },
      [dashboardOrigin, 'https://*.cloudfront.net'],
    ],
    [
      'the dashboard under its custom domain only',
      { dashboardOrigin, identityProvider, domain, ...location },
      [dashboardOrigin],
    ],
  ])('allows %s', (_, settings, AllowedOrigins) => {
    synthesizedStage({ settings }).stateful.hasResourceProperties('AWS::S3::Bucket', {
      CorsConfiguration: { CorsRules: [{ AllowedOrigins }, {}] },
    });
  });
});

it.each([
  ['AWS::DynamoDB::Table', 'TableName', 'media-jobs-test-123456789012-jobs'],
  ['AWS::S3::Bucket', 'BucketName', 'media-jobs-test-123456789012-eu-central-1-media'],
])(
  'adopting a kept table and bucket is possible for its %s: retained, and named without references in a known region',
  (type, key, name) => {
    const settings = { account: '123456789012', region: 'eu-central-1' };
    const { stateful: known } = synthesizedStage({ settings });
    known.hasResource(type, { DeletionPolicy: 'Retain', Properties: { [key]: name } });
  },
);
