import { Aws } from 'aws-cdk-lib';
import type { Use } from '../core/api/contract.ts';
import { costOfMinute } from '../core/pricing/cost-limit.ts';
import type { BucketUse } from './bucket-grants.ts';
import {
  type Grant,
  onDelegated,
  onEdgeStore,
  onKeys,
  onLoop,
  onObjects,
  onOwners,
  onQueue,
  onReadOutputs,
  onSecrets,
  onTable,
  onWatches,
  onWrittenObjects,
  trustEnvironment,
} from './grant-kinds.ts';
import { estimateEnvironment, pricedStage } from './priced-workers.ts';
import { maxPlaylistReads } from './settings/capacity.ts';
import { presetsFile } from './settings/stage-presets.ts';
import { watchesFile } from './settings/watches.ts';

/** Resource accesses of workers that no route has. */
export type WorkerUse =
  | 'due.query'
  | 'uploads.delete'
  | 'contentKeys.decrypt'
  | 'outputs.put'
  | 'media.list'
  | 'work.get'
  | 'work.put'
  | 'batches.put'
  | 'work.delete'
  | 'deliveries.retry'
  | 'events.publish'
  | 'parallel.start'
  | 'parallel.describe'
  | 'parallel.answer'
  | 'pool.start'
  | 'encodeChunk.send'
  | 'jobs.open'
  | 'edge.maintain'
  | 'watches.record'
  | 'buckets.read'
  | 'buckets.watch'
  | 'buckets.write'
  | 'buckets.remove';

/** A presigned URL has the permissions of its signer, and ends with its session: it is not valid for longer than an hour. */
const maxUploadUrlSeconds = 3600;

/** An access that needs no permission, but settings. */
const setting = (environment: Grant['environment']): Grant => ({ actions: [], resourceArns: () => [], environment });

/** For each access: the IAM actions, the resources, and the environment variables that name them. */
export const grants: Readonly<Record<Exclude<Use | WorkerUse, BucketUse>, Grant>> = {
  'table.get': onOwners('GetItem'),
  'table.query': onOwners('Query', ['', '/index/byState', '/index/byName']),
  'table.batchGet': onOwners('BatchGetItem'),
  'table.put': onOwners('PutItem'),
  // The limit of reads of playlists, by a route without a credential, which writes nothing else.
  'playlists.put': {
    ...onTable('PutItem', { partitions: ['OWNER#*#PLAYLISTS'] }),
    environment: ({ table, settings }) => ({
      TABLE_NAME: table.name,
      MAX_PLAYLIST_READS: String(maxPlaylistReads(settings)),
    }),
  },
  'table.update': onOwners('UpdateItem'),
  'table.delete': onOwners('DeleteItem'),
  'table.batchWrite': onOwners('BatchWriteItem'),
  'keys.get': onKeys('GetItem'),
  'keys.query': onKeys('Query'),
  'keys.put': onKeys('PutItem'),
  'keys.update': onKeys('UpdateItem'),
  'keys.delete': onKeys('DeleteItem'),
  'keys.batchDelete': onKeys('BatchWriteItem'),
  'audit.query': onTable('Query', { partitions: ['OWNER#*#AUDIT'] }),
  'ownerSalt.update': onTable('UpdateItem', { partitions: ['OWNER_SALT'] }),
  'rates.take': {
    ...onTable('UpdateItem', { partitions: ['RATE#*'] }),
    environment: ({ table, settings: { rateLimit } }) => ({
      TABLE_NAME: table.name,
      RATE_LIMIT: JSON.stringify(rateLimit),
    }),
  },
  // The file is beside the code of the function.
  'watches.list': setting(
    ({ settings: { watches } }): Record<string, string> => (watches.length === 0 ? {} : { WATCHES_FILE: watchesFile }),
  ),
  'watches.get': onWatches('GetItem'),
  'watches.pause': onWatches('UpdateItem'),
  'watches.record': onWatches('PutItem', 'UpdateItem', 'Query', 'BatchWriteItem'),
  // Keys of jobs of all owners, and no other attributes.
  'waiting.query': onTable('Query', { suffixes: ['/index/waiting'] }),
  'due.query': onTable('Query', { suffixes: ['/index/due'] }),
  'queue.send': onQueue(({ queue }) => queue, 'TRANSCODE_QUEUE_URL'),
  // The file is beside the code of the function.
  'presets.read': setting(
    ({ presets }): Record<string, string> => (presets.length === 0 ? {} : { PRESETS_FILE: presetsFile }),
  ),
  // URLs of the API, which the secret of a job signs.
  'files.link': setting(({ publicUrl, settings }) => ({
    PUBLIC_URL: publicUrl,
    SIGNED_URL_SECONDS: String(settings.signedUrlSeconds),
    STREAM_URL_SECONDS: String(settings.streamUrlSeconds),
  })),
  // The player's page lies beside the code.
  'player.embed': setting(({ settings }) => ({ FRAME_ANCESTORS: settings.playback.frameAncestors })),
  'edge.read': onEdgeStore('GetKey'),
  'edge.revoke': onEdgeStore('DescribeKeyValueStore', 'PutKey'),
  'edge.maintain': onEdgeStore('DescribeKeyValueStore', 'ListKeys', 'UpdateKeys'),
  'media.put': {
    ...onObjects('PutObject', 'uploads'),
    environment: ({ media, settings }) => ({
      MEDIA_BUCKET: media.name,
      MAX_INPUT_BYTES: String(settings.inputLimits.sizeBytes),
      UPLOAD_URL_SECONDS: String(Math.min(settings.signedUrlSeconds, maxUploadUrlSeconds)),
    }),
  },
  // Distinguishes an existing multipart upload from an unknown one.
  'media.listParts': onObjects('ListMultipartUploadParts', 'uploads'),
  'media.abort': onObjects('AbortMultipartUpload', 'uploads'),
  'media.delete': onObjects('DeleteObject', 'jobs', 'kept'),
  'uploads.delete': onObjects('DeleteObject', 'uploads'),
  'uploads.get': onObjects('GetObject', 'uploads'),
  'outputs.get': onReadOutputs(),
  'outputs.put': onWrittenObjects('jobs', 'kept'),
  'work.get': onObjects('GetObject', 'work'),
  'work.put': onWrittenObjects('work'),
  'work.delete': onObjects('DeleteObject', 'work'),
  // On the whole bucket: with permission for one prefix only, S3 answers 403 for a missing key.
  'media.list': { ...onObjects('ListBucket', 'jobs'), resourceArns: ({ media }) => [media.arn] },
  'deliveries.start': onQueue(({ deliveryQueue }) => deliveryQueue, 'DELIVERY_QUEUE_URL'),
  'deliveries.retry': onLoop('deliveryStateMachine', 'DELIVERY_STATE_MACHINE_ARN'),
  // Manifests and reports.
  'batches.get': onObjects('GetObject', 'work/batches'),
  'batches.put': onWrittenObjects('work/batches'),
  'batches.start': onLoop('batchStateMachine', 'BATCH_STATE_MACHINE_ARN'),
  'events.publish': {
    actions: ['events:PutEvents'],
    resourceArns: ({ eventBus }) => [eventBus.eventBusArn],
    environment: ({ eventBus }) => ({ EVENT_BUS_NAME: eventBus.eventBusName }),
  },
  'parallel.start': onDelegated('StartExecution', ({ stateMachine }) => stateMachine.stateMachineArn),
  'parallel.stop': onDelegated('StopExecution', ({ executionsArn }) => executionsArn),
  'parallel.describe': onDelegated('DescribeExecution', ({ executionsArn }) => executionsArn),
  // A stage without a pool has no statement.
  'pool.start': {
    actions: ['states:StartExecution', 'states:ListExecutions'],
    resourceArns: ({ poolStateMachine }) => (poolStateMachine ? [poolStateMachine.stateMachine.stateMachineArn] : []),
    environment: ({ poolStateMachine, settings: { fargate } }): Record<string, string> =>
      poolStateMachine && fargate?.pool
        ? {
            POOL_STATE_MACHINE_ARN: poolStateMachine.stateMachine.stateMachineArn,
            POOL_MAX_TASKS: String(fargate.pool.maxTasks),
          }
        : {},
  },
  // These actions support no resource. The token, which only its queue's consumer receives, selects the task.
  'parallel.answer': {
    actions: ['states:SendTaskSuccess', 'states:SendTaskFailure'],
    resourceArns: () => ['*'],
    environment: () => ({}),
  },
  // A late chunk task sends itself once more. Each function that processes a queue has its URL already.
  'encodeChunk.send': onQueue(({ encodeChunkQueue }) => encodeChunkQueue),
  'jobs.open': {
    actions: ['lambda:InvokeFunction'],
    resourceArns: ({ openJob }) => [openJob.functionArn],
    environment: ({ openJob }) => ({ OPEN_JOB_FUNCTION: openJob.functionName }),
  },
  'secrets.encrypt': onSecrets('Encrypt', 'storageProviderId'),
  'secrets.decrypt': onSecrets('Decrypt', 'storageProviderId'),
  'contentKeys.encrypt': onSecrets('Encrypt', 'jobId'),
  'contentKeys.decrypt': onSecrets('Decrypt', 'jobId'),
  'roles.describe': setting(trustEnvironment),
  // Roles of owners are in other accounts. In the account of the stage a role may trust every function of it.
  'roles.assume': {
    actions: ['sts:AssumeRole'],
    resourceArns: () => [`arn:${Aws.PARTITION}:iam::*:role/*`],
    conditions: () => ({ StringNotEquals: { 'aws:ResourceAccount': Aws.ACCOUNT_ID } }),
    environment: trustEnvironment,
  },
  'work.price': setting(({ settings }) => ({ PRICED_STAGE: JSON.stringify(pricedStage(settings)) })),
  'minute.price': setting(({ settings }) => ({ MINUTE_USD: costOfMinute(pricedStage(settings)).toFixed(6) })),
  'speeds.choose': setting(({ settings: { defaultSpeed, fargate } }) => ({
    STAGE_SPEEDS: JSON.stringify({ default: defaultSpeed, hasPool: fargate?.pool !== undefined }),
  })),
  'work.estimate': setting(({ settings }) => estimateEnvironment(settings)),
  // Needs no AWS permission, and every function has the settings for addresses.
  'webhooks.post': setting(() => ({})),
};
