import { retryLambdaErrors, retryThrottled } from './retry-invocation.ts';

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
