/** A function lives 900 s at most. A little more, so that it is the function that says that its time was over. */
const chunkTaskTimeoutSeconds = 960;

export type ParallelMachineSettings = {
  /** How many parts of one job are encoded at once; an inline Map runs 40 at most. */
  maxParallelChunks: number;
  /** After which an execution ends by itself. */
  timeoutSeconds: number;
};

/**
 * The state machine that encodes the parts of one job side by side and joins them, in Amazon States Language (JSONPath).
 * Its input is `{ ownerId, jobId, leaseId, planKey, parts: [0, 1, …] }`: the plan itself lies in the bucket, since a
 * state carries 256 KiB at most. The placeholders `${Partition}`, `${EncodeChunk}` and `${JoinChunks}` are filled in at
 * deployment.
 *
 * A part that fails is tried again on its own. Whatever fails in the end is told to `JoinChunks`, which knows what
 * becomes of the job then.
 */
export function parallelTranscodeDefinition({ maxParallelChunks, timeoutSeconds }: ParallelMachineSettings) {
  return {
    Comment: 'Encodes the parts of one job side by side, then joins them',
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
        Catch: whateverFails,
        Next: 'Join',
      },
      Join: { ...joinChunks({ ...job, failed: false }), Catch: whateverFails, End: true },
      GiveUp: { ...joinChunks({ ...job, failed: true }), End: true },
    },
  };
}

/** What identifies the work, for every function that has a part in it. */
const job = {
  'ownerId.$': '$.ownerId',
  'jobId.$': '$.jobId',
  'leaseId.$': '$.leaseId',
  'planKey.$': '$.planKey',
};

const whateverFails = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'GiveUp' }];

/**
 * Patience for longer than an execution lives: in an account of 10 executions a part may wait for others of its own job,
 * and for those of all the jobs that came before. Each try is three events of a history that may have 25,000, so that the
 * waits grow long.
 */
const whenThrottled = {
  ErrorEquals: ['Lambda.TooManyRequestsException'],
  IntervalSeconds: 2,
  BackoffRate: 1.5,
  MaxDelaySeconds: 600,
  MaxAttempts: 200,
};

const whenBroken = { ErrorEquals: ['States.ALL'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2 };

const encodeChunk = {
  Type: 'Task',
  Resource: `arn:\${Partition}:states:::lambda:invoke`,
  Parameters: { FunctionName: `\${EncodeChunk}`, 'Payload.$': '$' },
  TimeoutSeconds: chunkTaskTimeoutSeconds,
  // An encoding that failed would fail again.
  Retry: [{ ErrorEquals: ['EncodingFailed'], MaxAttempts: 0 }, whenThrottled, whenBroken],
  ResultPath: null,
  // What the parts put out stands side by side in one state until the last of them has ended.
  OutputPath: '$.chunk',
  End: true,
};

function joinChunks(payload: object) {
  return {
    Type: 'Task',
    Resource: `arn:\${Partition}:states:::lambda:invoke`,
    Parameters: { FunctionName: `\${JoinChunks}`, Payload: payload },
    TimeoutSeconds: chunkTaskTimeoutSeconds,
    Retry: [whenThrottled, whenBroken],
    ResultPath: null,
  };
}
