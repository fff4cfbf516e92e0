import { account } from '../aws-names.ts';
import type { CreatedObject } from '../emulators/s3-events.ts';
import { queueNameFromArn, queueUrl, sendMessage } from '../emulators/sqs.ts';
import type { EventBuses, EventRules } from '../events.ts';
import type { AccessControl } from '../permissions/access-control.ts';
import { sendAs } from '../permissions/guard-invocations.ts';
import type { Endpoints } from '../template/resource-kind.ts';
import type { StagePlan } from '../template/stage-plan.ts';

/** The rules of the template, each of which sends to the queues that let it. */
export function eventRules({ eventRules: rules }: StagePlan, { sqs }: Endpoints, control: AccessControl): EventRules {
  return {
    rules,
    send: ({ arn: sourceArn }, queueArn, MessageBody) => {
      const sender = { service: 'events.amazonaws.com', sourceArn };
      const send = sendAs(sender, (message) => sendMessage(sqs, message), control);
      return send({ QueueUrl: queueUrl(sqs, queueNameFromArn(queueArn)), MessageBody });
    },
  };
}

/** Buckets of the template whose events go to EventBridge. Those outside it are taken to send theirs. */
export function notifyingBuckets({ buckets }: StagePlan): string[] {
  const sends = ({ NotificationConfiguration: sent }: StagePlan['buckets'][number]) =>
    sent?.EventBridgeConfiguration.EventBridgeEnabled === true;
  return buckets.filter(sends).map(({ name }) => name);
}

/** Sends `Object Created` of some buckets to the default bus (Amazon S3 User Guide, "EventBridge event message structure"). */
export function objectEvents(buckets: readonly string[], events: EventBuses): (object: CreatedObject) => void {
  return ({ bucket, key, sizeBytes: size, etag, reason }) => {
    if (!buckets.includes(bucket)) return;
    const object = { key, size, etag, sequencer: Date.now().toString(16).toUpperCase().padStart(16, '0') };
    events.emit({
      source: 'aws.s3',
      detailType: 'Object Created',
      detail: {
        version: '0',
        bucket: { name: bucket },
        object,
        'request-id': etag.slice(0, 16),
        requester: account,
        reason,
      },
      resources: [`arn:aws:s3:::${bucket}`],
    });
  };
}
