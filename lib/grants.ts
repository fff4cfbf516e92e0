import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Use } from '../core/api/contract.ts';
import { acknowledgeWildcard } from './acknowledge-findings.ts';
import type { StageResources } from './stage-resources.ts';

/** Resource accesses of workers that no route has. */
export type WorkerUse =
  | 'due.query'
  | 'uploads.get'
  | 'outputs.put'
  | 'media.list'
  | 'work.get'
  | 'work.put'
  | 'work.delete'
  | 'parallel.start'
  | 'parallel.describe'
  | 'parallel.answer';

type Grant = {
  actions: readonly string[];
  resourceArns: (resources: StageResources) => string[];
  environment: (resources: StageResources) => Record<string, string>;
};

const onTable = (action: string, suffixes = ['']): Grant => ({
  actions: [`dynamodb:${action}`],
  resourceArns: ({ table }) => suffixes.map((suffix) => `${table.arn}${suffix}`),
  environment: ({ table }) => ({ TABLE_NAME: table.name }),
});

const onObjects = (action: string, prefix: string): Grant => ({
  actions: [`s3:${action}`],
  resourceArns: ({ media }) => [`${media.arn}/${prefix}/*`],
  environment: ({ media }) => ({ MEDIA_BUCKET: media.name }),
});

/** Allows writing objects under a prefix, including multipart uploads. */
const onWrittenObjects = (prefix: string): Grant => ({
  ...onObjects('PutObject', prefix),
  actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
});

const onParallel = (action: string, resourceArns: Grant['resourceArns']): Grant => ({
  actions: [`states:${action}`],
  resourceArns,
  environment: ({ parallelMachine }) => ({
    PARALLEL_STATE_MACHINE_ARN: parallelMachine.stateMachine.stateMachineArn,
  }),
});

/** Allows presigned URLs, which carry the permissions of their signer. */
const onSignedUrls = (action: string, prefix: string): Grant => ({
  ...onObjects(action, prefix),
  environment: ({ media, settings }) => ({
    MEDIA_BUCKET: media.name,
    SIGNED_URL_SECONDS: String(settings.signedUrlSeconds),
  }),
});

/** For each access: the IAM actions, the resources, and the environment variables that name them. */
export const grants: Readonly<Record<Use | WorkerUse, Grant>> = {
  'table.get': onTable('GetItem'),
  'table.query': onTable('Query', ['', '/index/byState']),
  'table.batchGet': onTable('BatchGetItem'),
  'table.put': onTable('PutItem'),
  'table.update': onTable('UpdateItem'),
  'table.delete': onTable('DeleteItem'),
  'table.batchDelete': onTable('BatchWriteItem'),
  'waiting.query': onTable('Query', ['/index/waiting']),
  'due.query': onTable('Query', ['/index/due']),
  'queue.send': {
    actions: ['sqs:SendMessage'],
    resourceArns: ({ queue }) => [queue.queueArn],
    environment: ({ queue }) => ({ TRANSCODE_QUEUE_URL: queue.queueUrl }),
  },
  'media.get': {
    ...onSignedUrls('GetObject', 'jobs'),
    // Playlists are served by the API, which presigns the files that they reference.
    environment: (resources) => ({
      ...onSignedUrls('GetObject', 'jobs').environment(resources),
      PUBLIC_URL: resources.publicUrl,
    }),
  },
  'media.put': {
    ...onSignedUrls('PutObject', 'uploads'),
    environment: (resources) => ({
      ...onSignedUrls('PutObject', 'uploads').environment(resources),
      MAX_INPUT_BYTES: String(resources.settings.inputLimits.sizeBytes),
    }),
  },
  // Distinguishes an existing multipart upload from an unknown one.
  'media.listParts': onObjects('ListMultipartUploadParts', 'uploads'),
  'media.delete': onObjects('DeleteObject', 'jobs'),
  'uploads.get': onObjects('GetObject', 'uploads'),
  'outputs.put': onWrittenObjects('jobs'),
  'work.get': onObjects('GetObject', 'work'),
  'work.put': onWrittenObjects('work'),
  'work.delete': onObjects('DeleteObject', 'work'),
  // On the whole bucket: with permission for one prefix only, S3 answers 403 for a missing key.
  'media.list': { ...onObjects('ListBucket', 'jobs'), resourceArns: ({ media }) => [media.arn] },
  'deliveries.start': {
    actions: ['states:StartExecution'],
    resourceArns: ({ deliveryMachine }) => [deliveryMachine.stateMachineArn],
    environment: ({ deliveryMachine }) => ({ DELIVERY_STATE_MACHINE_ARN: deliveryMachine.stateMachineArn }),
  },
  'parallel.start': onParallel('StartExecution', ({ parallelMachine }) => [
    parallelMachine.stateMachine.stateMachineArn,
  ]),
  'parallel.stop': onParallel('StopExecution', ({ parallelMachine }) => [parallelMachine.executionsArn]),
  'parallel.describe': onParallel('DescribeExecution', ({ parallelMachine }) => [
    parallelMachine.executionsArn,
  ]),
  // These actions support no resource. The token, which only its queue's consumer receives, selects the task.
  'parallel.answer': {
    actions: ['states:SendTaskSuccess', 'states:SendTaskFailure'],
    resourceArns: () => ['*'],
    environment: () => ({}),
  },
  // Needs no AWS permission, and every function has the settings for addresses.
  'webhooks.post': { actions: [], resourceArns: () => [], environment: () => ({}) },
};

/** Grants a function its declared accesses and sets the environment variables that go with them. */
export function grantUses(
  lambda: LambdaFunction,
  uses: readonly (Use | WorkerUse)[],
  resources: StageResources,
): void {
  for (const use of new Set(uses)) {
    const { actions, resourceArns, environment } = grants[use];
    const targets = resourceArns(resources);
    if (actions.length > 0) {
      lambda.addToRolePolicy(new PolicyStatement({ actions: [...actions], resources: targets }));
    }
    for (const target of targets.filter((arn) => arn.endsWith('*'))) {
      acknowledgeWildcard(
        lambda.role ?? lambda,
        target,
        'Objects under one prefix, executions of one state machine (their names contain future job ids), or answers to task tokens, which support no resource.',
      );
    }
    for (const [name, value] of Object.entries(environment(resources))) lambda.addEnvironment(name, value);
  }
}
