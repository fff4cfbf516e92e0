import { Aws } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { ownerTag, type Scope } from './bucket-grants.ts';
import { namePrefix, secretsKeyAlias } from './names.ts';
import type { StageResources } from './stage-resources.ts';

/** The job of a session of the role `TranscodeJob`, by its tag. */
const jobTag = '${aws:PrincipalTag/job}';
/** The job whose stored files a retry sends to a storage provider; without one the job itself. */
const retriedTag = '${aws:PrincipalTag/retried}';
/** The job for which the content key was encrypted: of a retry, the first job; without a content key the job itself. */
const keyTag = '${aws:PrincipalTag/key}';

/** An access: its IAM actions, its resources, and the environment variables that name them. */
export type Grant = {
  actions: readonly string[];
  conditions?: (resources: StageResources, scope: Scope) => Record<string, Record<string, unknown>>;
  resourceArns: (resources: StageResources, scope: Scope) => string[];
  environment: (resources: StageResources) => Record<string, string>;
};

/** Allows an action on the table or its indexes, with `partitions` on these partition keys only. */
export const onTable = (action: string, { suffixes = [''], partitions }: TableAccess): Grant => ({
  actions: [`dynamodb:${action}`],
  resourceArns: ({ table }) => suffixes.map((suffix) => `${table.arn}${suffix}`),
  environment: ({ table }) => ({ TABLE_NAME: table.name }),
  ...(partitions && {
    conditions: (_, scope) => ({
      'ForAllValues:StringLike': {
        'dynamodb:LeadingKeys': scope === 'job' && partitions === allOwners ? partitionsOfTag : partitions,
      },
    }),
  }),
});

type TableAccess = {
  /** `/index/<name>` for an index; the table itself by default. */
  suffixes?: readonly string[];
  /** Patterns of partition keys. */
  partitions?: readonly string[];
};

const allOwners: readonly string[] = ['OWNER#*'];

/** `OWNER##`: what workers share, such as the limit of long jobs. */
const partitionsOfTag = [`OWNER#${ownerTag}`, `OWNER#${ownerTag}#*`, 'OWNER##*'];

/** All items of owners but their API keys. */
export const onOwners = (action: string, suffixes?: readonly string[]) =>
  onTable(action, { partitions: allOwners, ...(suffixes && { suffixes }) });

/** API keys, by owner and by hash. Only authentication and the routes of keys use them. */
export const onKeys = (action: string) => onTable(action, { partitions: ['KEYS#*', 'KEYHASH#*'] });

/** What watches remember. A stage without watches has no statement. */
export const onWatches = (...operations: string[]): Grant => ({
  ...onTable('GetItem', { partitions: ['WATCH#*'] }),
  actions: operations.map((operation) => `dynamodb:${operation}`),
  resourceArns: ({ table, settings: { watches } }) => (watches.length === 0 ? [] : [table.arn]),
});

/** Allows an action on objects under prefixes of the media bucket; a session of one job only on its own, or uploads of its owner. */
export const onObjects = (action: string, ...prefixes: string[]): Grant => ({
  actions: [`s3:${action}`],
  resourceArns: ({ media }, scope) =>
    prefixes.map((prefix) => {
      const folder = scope === 'stage' ? prefix : `${prefix}/${prefix === 'uploads' ? ownerTag : jobTag}`;
      return `${media.arn}/${folder}/*`;
    }),
  environment: ({ media }) => ({ MEDIA_BUCKET: media.name }),
});

/** Allows reading outputs; a session of one job reads also those of the job that it retries. */
export function onReadOutputs(): Grant {
  const own = onObjects('GetObject', 'jobs', 'kept');
  return {
    ...own,
    resourceArns: (resources, scope) => [
      ...own.resourceArns(resources, scope),
      ...(scope === 'job' ? ['jobs', 'kept'].map((folder) => `${resources.media.arn}/${folder}/${retriedTag}/*`) : []),
    ],
  };
}

/** Allows writing objects under a prefix, including multipart uploads. */
export const onWrittenObjects = (...prefixes: string[]): Grant => ({
  ...onObjects('PutObject', ...prefixes),
  actions: ['s3:PutObject', 's3:AbortMultipartUpload'],
});

/** Allows sending messages to a queue, whose URL the environment variable names. */
export const onQueue = (queueOf: (resources: StageResources) => IQueue, variable?: string): Grant => ({
  actions: ['sqs:SendMessage'],
  resourceArns: (resources) => [queueOf(resources).queueArn],
  environment: (resources) => (variable === undefined ? {} : { [variable]: queueOf(resources).queueUrl }),
});

/** Allows starting executions of a state machine. */
export const onLoop = (name: 'deliveryStateMachine' | 'batchStateMachine', variable: string): Grant => ({
  actions: ['states:StartExecution'],
  resourceArns: ({ [name]: machine }) => [machine.stateMachineArn],
  environment: ({ [name]: machine }) => ({ [variable]: machine.stateMachineArn }),
});

type DelegateStateMachine = StageResources['parallelStateMachine'];

/** The state machines to which jobs are delegated, by the environment variable of each. */
function delegateMachines(resources: StageResources): [variable: string, DelegateStateMachine][] {
  const machines = {
    PARALLEL_STATE_MACHINE_ARN: resources.parallelStateMachine,
    FARGATE_STATE_MACHINE_ARN: resources.fargateStateMachine,
  };
  return Object.entries(machines).flatMap(([variable, machine]) => (machine ? [[variable, machine]] : []));
}

/** Allows an action on the state machines to which jobs are delegated. */
export const onDelegated = (action: string, arnOf: (machine: DelegateStateMachine) => string): Grant => ({
  actions: [`states:${action}`],
  resourceArns: (resources) => delegateMachines(resources).map(([, machine]) => arnOf(machine)),
  environment: (resources) =>
    Object.fromEntries(
      delegateMachines(resources).map(([variable, { stateMachine }]) => [variable, stateMachine.stateMachineArn]),
    ),
});

/**
 * Allows an operation of the stage's KMS key, with one encryption context only: the owner and an id. The key is named by its
 * alias: the service refers to no output of the stateful stack.
 */
export const onSecrets = (operation: string, idName: 'storageProviderId' | 'jobId'): Grant => ({
  actions: [`kms:${operation}`],
  resourceArns: () => [`arn:${Aws.PARTITION}:kms:${Aws.REGION}:${Aws.ACCOUNT_ID}:key/*`],
  conditions: ({ settings: { stage } }, scope) => ({
    'ForAnyValue:StringEquals': { 'kms:ResourceAliases': secretsKeyAlias(stage), 'kms:EncryptionContextKeys': idName },
    'ForAllValues:StringEquals': { 'kms:EncryptionContextKeys': ['ownerId', idName] },
    ...(scope === 'job' && {
      StringEquals: {
        'kms:EncryptionContext:ownerId': ownerTag,
        ...(idName === 'jobId' && { 'kms:EncryptionContext:jobId': keyTag }),
      },
    }),
  }),
  environment: ({ settings: { stage } }) => ({ SECRETS_KEY_ID: secretsKeyAlias(stage) }),
});

export function trustEnvironment({ settings: { stage } }: StageResources): Record<string, string> {
  const trusted = { accountId: Aws.ACCOUNT_ID, partition: Aws.PARTITION, namePrefix: namePrefix(stage) };
  return { TRUSTED_STAGE: JSON.stringify(trusted) };
}

/** Allows operations on the store of the edge, if the stage has one. IAM has no condition on the names of entries. */
export const onEdgeStore = (...operations: string[]): Grant => ({
  actions: operations.map((operation) => `cloudfront-keyvaluestore:${operation}`),
  resourceArns: ({ edgeStoreArn }) => (edgeStoreArn === undefined ? [] : [edgeStoreArn]),
  environment: ({ edgeStoreArn }): Record<string, string> =>
    edgeStoreArn === undefined ? {} : { EDGE_STORE_ARN: edgeStoreArn },
});
