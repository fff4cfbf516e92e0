import { busEventSource } from '../../core/webhooks/bus-event.ts';
import { retryLambdaErrors, retryThrottled } from './retry-invocation.ts';

/**
 * The state machine that schedules the attempts of one delivery, in Amazon States Language (JSONPath).
 *
 * `Wait` supports whole seconds only. So deliver-webhook returns the whole seconds to wait and `notBefore`, and waits
 * for the remaining milliseconds itself. The deployment replaces `${Partition}`, `${DeliverWebhook}` and `${EventBus}`.
 *
 * @param delaysMs the delay before each attempt
 */
export function webhookDeliveryDefinition({ delaysMs }: { delaysMs: readonly number[] }) {
  return {
    Comment: 'Delivers the webhook of one job, then publishes its terminal event',
    StartAt: 'Schedule',
    States: {
      Schedule: { Type: 'Pass', Result: { delaysMs }, ResultPath: '$.schedule', Next: 'Deliver' },
      Deliver: deliver,
      Outcome: {
        Type: 'Choice',
        Choices: [
          { Variable: '$.outcome.Payload.status', StringEquals: 'retry', Next: 'NextAttempt' },
          { Variable: '$.outcome.Payload.status', StringEquals: 'settled', Next: 'PublishEvent' },
        ],
        Default: 'Done',
      },
      NextAttempt: nextAttempt,
      Wait: { Type: 'Wait', SecondsPath: '$.waitSeconds', Next: 'Deliver' },
      PublishEvent: publishEvent,
      Done: { Type: 'Succeed' },
    },
  };
}

/** Identifies the delivery in every state. */
const delivery = { 'ownerId.$': '$.ownerId', 'jobId.$': '$.jobId', 'deliveryId.$': '$.deliveryId' };

/** At most 15 s: after 20 s reconcile restarts the delivery. */
const retryThrottledDelivery = retryThrottled({ IntervalSeconds: 1, BackoffRate: 2, MaxAttempts: 4 });

// A retry never repeats a POST: an attempt that the journal has is not made again, and its outcome counts. Errors of the
// function itself are not retried: reconcile resumes with the next attempt.
const deliver = {
  Type: 'Task',
  Resource: `arn:\${Partition}:states:::lambda:invoke`,
  Parameters: {
    FunctionName: `\${DeliverWebhook}`,
    Payload: {
      ...delivery,
      'attempt.$': '$.attempt',
      'notBefore.$': '$.notBefore',
      'delaysMs.$': '$.schedule.delaysMs',
    },
  },
  ResultPath: '$.outcome',
  TimeoutSeconds: 60,
  Retry: [retryThrottledDelivery, ...retryLambdaErrors],
  Next: 'Outcome',
};

const nextAttempt = {
  Type: 'Pass',
  Parameters: {
    ...delivery,
    'attempt.$': '$.outcome.Payload.attempt',
    'notBefore.$': '$.outcome.Payload.notBefore',
    'waitSeconds.$': '$.outcome.Payload.waitSeconds',
    'schedule.$': '$.schedule',
  },
  Next: 'Wait',
};

// Best effort: only the webhook and the record are guaranteed, so a rejected event does not fail the execution.
const publishEvent = {
  Type: 'Task',
  Resource: `arn:\${Partition}:states:::events:putEvents`,
  Parameters: {
    Entries: [
      {
        EventBusName: `\${EventBus}`,
        Source: busEventSource,
        'DetailType.$': '$.outcome.Payload.detailType',
        'Detail.$': '$.outcome.Payload.detail',
      },
    ],
  },
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.unpublished', Next: 'Done' }],
  Next: 'Done',
};
