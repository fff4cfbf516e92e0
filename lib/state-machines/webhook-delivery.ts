import { busEventSource } from '../../core/webhooks/bus-event.ts';

/**
 * The state machine that times the attempts of one delivery, in Amazon States Language (JSONPath).
 *
 * `Wait` knows whole seconds only, so the schedule travels as data: deliver-webhook answers with the whole seconds
 * to wait and with `notBefore`, and holds the rest itself. The placeholders `${Partition}`, `${DeliverWebhook}` and
 * `${EventBus}` are filled in at deployment.
 *
 * @param delaysMs the wait before each attempt, in milliseconds
 */
export function webhookDeliveryDefinition({ delaysMs }: { delaysMs: readonly number[] }) {
  return {
    Comment: 'Delivers the webhook of one job, then publishes the event of its end',
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

/** What identifies the delivery, passed on from state to state. */
const delivery = { 'ownerId.$': '$.ownerId', 'jobId.$': '$.jobId', 'deliveryId.$': '$.deliveryId' };

/** An invocation that was turned away never began. 15 s at most: after 20 s reconcile starts the delivery anew. */
const whenThrottled = {
  ErrorEquals: ['Lambda.TooManyRequestsException'],
  IntervalSeconds: 1,
  BackoffRate: 2,
  MaxAttempts: 4,
};

// No other failure is tried again: the invocation may have posted, and reconcile resumes at the next attempt.
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
  Retry: [whenThrottled],
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

// Best effort: the webhook and the record are the promise, so a refused event ends nothing badly.
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
