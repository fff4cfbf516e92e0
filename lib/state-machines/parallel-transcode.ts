import { retryLambdaErrors, retryThrottled } from './retry-invocation.ts';

/** Above Lambda's limit of 900 s, so that the function reports its own time-out. */
const chunkTaskTimeoutSeconds = 960;

export type ParallelMachineSettings = {
  /** Chunks of one job encoded at the same time. An inline Map runs at most 40. */
  maxParallelChunks: number;
  /** Time limit of an execution. */
  timeoutSeconds: number;
};

/**
 * The state machine that encodes the chunks of one job in parallel and joins them, in Amazon States Language
 * (JSONPath). Its input is `{ ownerId, jobId, leaseId, planKey, chunks: [0, 1, …] }`. The plan is in the bucket, since a
 * state is limited to 256 KiB. The deployment replaces `${Partition}`, `${EncodeChunk}` and `${JoinChunks}`.
 *
 * Each chunk is retried on its own. A final failure invokes `JoinChunks` with `failed: true`: it requeues or fails the
 * job.
 */
export function parallelTranscodeDefinition({ maxParallelChunks, timeoutSeconds }: ParallelMachineSettings) {
  return {
    Comment: 'Encodes the chunks of one job in parallel, then joins them',
    StartAt: 'EncodeChunks',
    TimeoutSeconds: timeoutSeconds,
    States: {
      EncodeChunks: {
        Type: 'Map',
        ItemsPath: '$.chunks',
        ItemSelector: { ...job, 'chunk.$': '$$.Map.Item.Value' },
        MaxConcurrency: maxParallelChunks,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'EncodeChunk',
          States: { EncodeChunk: encodeChunk },
        },
        ResultPath: null,
        Catch: onAnyFailure,
        Next: 'Join',
      },
      Join: { ...joinChunks({ ...job, failed: false }), Catch: onAnyFailure, End: true },
      RetryOrFail: { ...joinChunks({ ...job, failed: true }), End: true },
    },
  };
}

/** Identifies the job and the plan for every function. */
const job = {
  'ownerId.$': '$.ownerId',
  'jobId.$': '$.jobId',
  'leaseId.$': '$.leaseId',
  'planKey.$': '$.planKey',
};

const onAnyFailure = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'RetryOrFail' }];

/**
 * Retries for longer than an execution runs: in an account with a concurrency of 10, a chunk waits for other chunks of
 * its job and of earlier jobs. Each retry adds three events to a history of at most 25,000, so the delays grow up to ten
 * minutes, five on average.
 */
const retryThrottledChunk = retryThrottled({
  IntervalSeconds: 2,
  BackoffRate: 1.5,
  MaxDelaySeconds: 600,
  MaxAttempts: 320,
});

const retryFailed = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: 2,
  JitterStrategy: 'FULL',
};

const retries = [retryThrottledChunk, ...retryLambdaErrors, retryFailed];

const encodeChunk = {
  Type: 'Task',
  Resource: `arn:\${Partition}:states:::lambda:invoke`,
  Parameters: { FunctionName: `\${EncodeChunk}`, 'Payload.$': '$' },
  TimeoutSeconds: chunkTaskTimeoutSeconds,
  // A permanent failure: a retry would fail too.
  Retry: [{ ErrorEquals: ['EncodingFailed'], MaxAttempts: 0 }, ...retries],
  ResultPath: null,
  // The Map collects all outputs in one state: keep them small.
  OutputPath: '$.chunk',
  End: true,
};

function joinChunks(payload: object) {
  return {
    Type: 'Task',
    Resource: `arn:\${Partition}:states:::lambda:invoke`,
    Parameters: { FunctionName: `\${JoinChunks}`, Payload: payload },
    TimeoutSeconds: chunkTaskTimeoutSeconds,
    Retry: retries,
    ResultPath: null,
  };
}
