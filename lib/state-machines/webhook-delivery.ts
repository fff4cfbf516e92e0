/** A random part of each delay, so that executions that failed together do not retry together. */
const fullJitter = { JitterStrategy: 'FULL' };

/** The concurrency is exhausted; the function did not start. */
function retryThrottled(delays: {
  IntervalSeconds: number;
  BackoffRate: number;
  MaxAttempts: number;
  MaxDelaySeconds?: number;
}) {
  return { ErrorEquals: ['Lambda.TooManyRequestsException'], ...delays, ...fullJitter };
}

/**
 * Retries of every task that invokes a function. Lambda answers the first rule's errors while it loads the image of a
 * function that was idle or is new, which was seen to take 106 s. AWS advises to retry the second rule's errors: "Handle
 * transient Lambda service exceptions" in the Step Functions Developer Guide. The function may have run then.
 */
const retryLambdaErrors = [
  {
    ErrorEquals: ['Lambda.CodeArtifactUserPendingException', 'Lambda.ResourceNotReadyException'],
    IntervalSeconds: 5,
    BackoffRate: 2,
    MaxAttempts: 6,
    ...fullJitter,
  },
  {
    ErrorEquals: [
      'Lambda.ServiceException',
      'Lambda.AWSLambdaException',
      'Lambda.SdkClientException',
      'Lambda.ClientExecutionTimeoutException',
    ],
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxAttempts: 6,
    ...fullJitter,
  },
];

/** At most 15 s: a minute after an attempt reconcile resumes the delivery. */
const retryThrottledDelivery = retryThrottled({ IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 4 });

/**
 * The state machine that schedules the attempts of a delivery after the first, in Amazon States Language (JSONPath). Its
 * state is the input of the next call of deliver-webhook.
 *
 * `Wait` supports whole seconds only. So deliver-webhook returns the whole seconds to wait and `notBefore`, and waits
 * for the remaining milliseconds itself. The deployment replaces `${Partition}` and `${DeliverWebhook}`.
 */
export const webhookDeliveryDefinition = {
  Comment: 'Repeats the webhook of one job until an attempt succeeds or the last one fails',
  StartAt: 'Wait',
  States: {
    Wait: { Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Deliver' },
    // A retry never repeats a POST: an attempt that the journal has is not made again, and its outcome counts. Errors of
    // the function itself are not retried: reconcile resumes with the next attempt.
    Deliver: {
      Type: 'Task',
      Resource: `arn:\${Partition}:states:::lambda:invoke`,
      Parameters: { FunctionName: `\${DeliverWebhook}`, 'Payload.$': '$' },
      OutputPath: '$.Payload',
      TimeoutSeconds: 60,
      Retry: [retryThrottledDelivery, ...retryLambdaErrors],
      Next: 'Outcome',
    },
    Outcome: {
      Type: 'Choice',
      Choices: [{ Variable: '$.status', StringEquals: 'retry', Next: 'Wait' }],
      Default: 'Done',
    },
    Done: { Type: 'Succeed' },
  },
};

/** The time-out of a step of a batch: longer than that of run-batch. */
const batchStepSeconds = 320;

/**
 * The state machine that takes the steps of a batch, one after the other, until run-batch returns that it is done. Errors of the
 * function are not retried: reconcile starts the next execution. The deployment replaces `${Partition}` and `${RunBatch}`.
 */
export const batchDefinition = {
  Comment: 'Takes the steps of one batch of jobs',
  StartAt: 'Step',
  States: {
    Step: {
      Type: 'Task',
      Resource: `arn:\${Partition}:states:::lambda:invoke`,
      Parameters: { FunctionName: `\${RunBatch}`, 'Payload.$': '$' },
      OutputPath: '$.Payload',
      TimeoutSeconds: batchStepSeconds,
      Retry: [retryThrottledDelivery, ...retryLambdaErrors],
      Next: 'Outcome',
    },
    Outcome: {
      Type: 'Choice',
      Choices: [{ Variable: '$.status', StringEquals: 'wait', Next: 'Wait' }],
      Default: 'Done',
    },
    Wait: { Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Step' },
    Done: { Type: 'Succeed' },
  },
};
