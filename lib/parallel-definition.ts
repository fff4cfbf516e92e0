import { mostChunks } from '../core/chunks/settings.ts';

/** How long one part may take: the longest that a Lambda function may run. */
const partSeconds = 900;

/**
 * The state machine that encodes the parts of one job side by side and joins them, in Amazon States Language (JSONPath).
 * Its input is `{ ownerId, jobId, leaseId, planKey, parts: [0, 1, …] }`: the plan itself lies in the bucket, since a
 * state carries 256 KiB at most. The placeholders `${Partition}`, `${EncodePart}` and `${JoinParts}` are filled in at
 * deployment.
 *
 * A part that fails is tried again on its own. Whatever fails in the end is told to `JoinParts`, which knows what
 * becomes of the job then.
 *
 * @param timeoutSeconds after which an execution ends by itself
 */
export function parallelDefinition({ timeoutSeconds }: { timeoutSeconds: number }) {
  return {
    Comment: 'Encodes the parts of one job side by side, then joins them',
    StartAt: 'EncodeParts',
    TimeoutSeconds: timeoutSeconds,
    States: {
      EncodeParts: {
        Type: 'Map',
        ItemsPath: '$.parts',
        ItemSelector: { ...job, 'part.$': '$$.Map.Item.Value' },
        // An inline Map runs no more at once.
        MaxConcurrency: mostChunks,
        ItemProcessor: {
          ProcessorConfig: { Mode: 'INLINE' },
          StartAt: 'EncodePart',
          States: { EncodePart: encodePart },
        },
        ResultPath: null,
        Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: 'GiveUp' }],
        Next: 'Join',
      },
      Join: { ...joinParts({ ...job, failed: false }), End: true },
      GiveUp: { ...joinParts({ ...job, failed: true }), End: true },
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

const again = [
  { ErrorEquals: ['States.ALL'], IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 2, MaxDelaySeconds: 10 },
];

const encodePart = {
  Type: 'Task',
  Resource: `arn:\${Partition}:states:::lambda:invoke`,
  Parameters: { FunctionName: `\${EncodePart}`, 'Payload.$': '$' },
  TimeoutSeconds: partSeconds,
  Retry: again,
  ResultPath: null,
  End: true,
};

function joinParts(payload: object) {
  return {
    Type: 'Task',
    Resource: `arn:\${Partition}:states:::lambda:invoke`,
    Parameters: { FunctionName: `\${JoinParts}`, Payload: payload },
    TimeoutSeconds: partSeconds,
    Retry: again,
    ResultPath: null,
  };
}
