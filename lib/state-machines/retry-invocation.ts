/** A random part of each delay, so that executions that failed together do not retry together. */
const fullJitter = { JitterStrategy: 'FULL' };

/** The concurrency is exhausted; the function did not start. */
export function retryThrottled(delays: {
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
export const retryLambdaErrors = [
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
