import { dueShards } from '../../core/jobs/due-work.ts';
import {
  callsPerJob,
  deliverySeconds,
  failedDeliveries,
  functionSeconds,
  unitsOfJob,
} from '../../core/pricing/per-job.ts';
import { maxWorkers } from '../../lib/settings/mapping-scale.ts';

/** A limit per second, and the amount that one job uses. */
export type Limit = {
  name: string;
  maxPerSecond: number;
  /** @param seconds how long the job occupies its worker */
  perJob(seconds: number): number;
  /** What to change when the limit is reached. */
  raise: string;
  /** A key of `sources`, or a setting. */
  source: string;
};

/** Write units per second of a DynamoDB partition. */
const partitionWrites = 1_000;

/** Defaults of a stage and default quotas of an AWS account. */
export const limits: readonly Limit[] = [
  {
    name: 'API requests, by default',
    maxPerSecond: 50,
    perJob: () => callsPerJob('apigateway.Request'),
    raise: '`throttling.requestsPerSecond`, up to the next line',
    source: '`throttling`',
  },
  {
    name: 'API requests of an account',
    maxPerSecond: 10_000,
    perJob: () => callsPerJob('apigateway.Request'),
    raise: 'the quota of API Gateway',
    source: 'api',
  },
  {
    name: 'workers, by default',
    maxPerSecond: 2,
    perJob: (seconds) => seconds,
    raise: '`transcoder.maxConcurrency`, up to the next line',
    source: '`transcoder`',
  },
  {
    name: 'workers of a stage',
    maxPerSecond: maxWorkers,
    perJob: (seconds) => seconds,
    raise: 'faster workers (`transcoder.memoryMb`), then another stage',
    source: 'mapping',
  },
  {
    name: 'Lambda executions of an account',
    maxPerSecond: 1_000,
    perJob: functionSeconds,
    raise: 'the quota of Lambda; a new account has 10',
    source: 'lambda',
  },
  {
    name: 'first attempts of webhooks, by default',
    maxPerSecond: 2,
    perJob: () => deliverySeconds,
    raise: '`accountConcurrency`, up to the next line',
    source: '`accountConcurrency`',
  },
  {
    name: 'first attempts of webhooks, of an account with 1,000 executions',
    maxPerSecond: 100,
    perJob: () => deliverySeconds,
    raise: 'the quota of Lambda and `accountConcurrency`: a tenth of it, up to 1,000',
    source: '`accountConcurrency`',
  },
  {
    name: 'StartExecution',
    maxPerSecond: 300,
    perJob: () => failedDeliveries.share,
    raise: 'the quota of Step Functions; 150 in most regions',
    source: 'states',
  },
  {
    name: 'state transitions',
    maxPerSecond: 1_500,
    perJob: () => failedDeliveries.share * failedDeliveries.transitions,
    raise: 'the quota of Step Functions; 500 in most regions',
    source: 'states',
  },
  {
    name: 'PutEvents',
    maxPerSecond: 10_000,
    perJob: () => callsPerJob('events.PutEvents'),
    raise: 'the quota of EventBridge; 400 in the smallest regions',
    source: 'events',
  },
  {
    name: 'writes to the partition of one owner that has all jobs, in units',
    maxPerSecond: partitionWrites,
    perJob: (seconds) => unitsOfJob(seconds).owner,
    raise: 'distribute its jobs over several owners: the items of an owner share a partition',
    source: 'partition',
  },
  {
    name: `writes to the index \`due\`, in units of its ${dueShards} shards`,
    maxPerSecond: dueShards * partitionWrites,
    perJob: (seconds) => unitsOfJob(seconds).due,
    raise: 'nothing: one shard for each last digit of an id',
    source: 'partition',
  },
  {
    name: 'writes to the index `waiting`, in units',
    maxPerSecond: partitionWrites,
    perJob: (seconds) => unitsOfJob(seconds).waiting,
    raise: 'another stage: the index has one partition',
    source: 'partition',
  },
  {
    name: 'writes to table and indexes, in units',
    maxPerSecond: 40_000,
    perJob: (seconds) => {
      const { table, byState, due, waiting } = unitsOfJob(seconds);
      return table + byState + due + waiting;
    },
    raise: 'the quota of DynamoDB per table',
    source: 'table',
  },
  {
    name: 'objects put under one prefix',
    maxPerSecond: 3_500,
    perJob: () => callsPerJob('s3.PutObject'),
    raise: 'nothing: S3 partitions prefixes as they grow',
    source: 's3',
  },
];

/** Jobs per second within the limit, if each occupies its worker for `seconds`. */
export function jobsPerSecond({ maxPerSecond, perJob }: Limit, seconds: number): number {
  return maxPerSecond / perJob(seconds);
}
