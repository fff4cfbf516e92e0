export type ParallelMachineSettings = {
  /** Chunks of one job encoded at the same time. An inline Map runs at most 40. */
  maxParallelChunks: number;
  /** Time limit of an execution. */
  timeoutSeconds: number;
};

/**
 * The state machine that encodes the chunks of one job in parallel and joins them, in Amazon States Language
 * (JSONPath). Its input is a `ChunkedExecutionInput`. The plan is in the bucket, since a state is limited to 256 KiB. The
 * deployment replaces `${Partition}`, `${EncodeChunkQueue}` and `${JoinChunksQueue}`.
 *
 * Each task is a message with a task token in a FIFO queue. Its function answers the token. The queues bound how many
 * tasks run at once, of all owners and of each.
 *
 * The first Map runs what every chunk of a target bit rate depends on; of other jobs nothing. Each task is retried on its
 * own. A final failure runs the join with `failed: true`: it requeues or fails the job.
 */
export function parallelTranscodeDefinition({ maxParallelChunks, timeoutSeconds }: ParallelMachineSettings) {
  return {
    Comment: 'Encodes the chunks of one job in parallel, then joins them',
    StartAt: 'MeasureChunks',
    TimeoutSeconds: timeoutSeconds,
    States: {
      MeasureChunks: { ...runTasks('MeasureChunk', { tasks: '$.first', maxParallelChunks }), Next: 'EncodeChunks' },
      EncodeChunks: { ...runTasks('EncodeChunk', { tasks: '$.chunks', maxParallelChunks }), Next: 'Join' },
      Join: { ...joinChunks({ ...jobFields, failed: false }), Catch: onAnyFailure, End: true },
      RetryOrFail: { ...joinChunks({ ...jobFields, failed: true }), End: true },
    },
  };
}

/** Identifies the job and the plan for every function. */
export const jobFields = {
  'ownerId.$': '$.ownerId',
  'jobId.$': '$.jobId',
  'leaseId.$': '$.leaseId',
  'planKey.$': '$.planKey',
};

export const onAnyFailure = [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'RetryOrFail' }];

/** Outlasts a minute in which SQS takes no message: two minutes on average. No function has the task yet. */
const retrySend = {
  ErrorEquals: ['SQS.AmazonSQSException', 'SQS.SdkClientException'],
  IntervalSeconds: 2,
  BackoffRate: 2,
  MaxDelaySeconds: 20,
  MaxAttempts: 15,
  JitterStrategy: 'FULL',
};

const retryFailed = {
  ErrorEquals: ['States.ALL'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: 2,
  JitterStrategy: 'FULL',
};

const encodeChunk = {
  ...taskMessage('EncodeChunkQueue', { 'task.$': '$.task' }),
  // A permanent failure: a retry would fail too.
  Retry: [{ ErrorEquals: ['EncodingFailed'], MaxAttempts: 0 }, retrySend, retryFailed],
  // The Map collects all outputs in one state: keep them small.
  OutputPath: '$.task.chunk',
  End: true,
};

/** Runs a list of tasks, each by the state of this name. */
export function runTasks(state: string, { tasks, maxParallelChunks }: { tasks: string; maxParallelChunks: number }) {
  return {
    Type: 'Map',
    ItemsPath: tasks,
    ItemSelector: {
      task: { ...jobFields, 'chunk.$': '$$.Map.Item.Value.chunk' },
      'group.$': '$$.Map.Item.Value.group',
    },
    MaxConcurrency: maxParallelChunks,
    ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: state, States: { [state]: encodeChunk } },
    ResultPath: null,
    Catch: onAnyFailure,
  };
}

function joinChunks(task: object) {
  return { ...taskMessage('JoinChunksQueue', { task }), Retry: [retrySend, retryFailed] };
}

/** Sends a task to a queue and waits for the answer to its token: until the execution times out. */
function taskMessage(queue: string, body: object) {
  return {
    Type: 'Task',
    Resource: `arn:\${Partition}:states:::sqs:sendMessage.waitForTaskToken`,
    Parameters: {
      QueueUrl: `\${${queue}}`,
      'MessageGroupId.$': '$.group',
      MessageBody: { 'taskToken.$': '$$.Task.Token', ...body },
    },
    ResultPath: null,
  };
}
