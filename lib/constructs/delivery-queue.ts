import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { type CapacitySettings, divideCapacity } from '../settings/capacity.ts';

/** The queue of deliveries to begin. See functions/deliver-webhook/DECISION.md. */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      queueName: `${namePrefix(stage)}-deliveries`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // Messages only save time: reconcile sends them again, so that old ones would come twice.
      retentionPeriod: Duration.minutes(10),
      // Twice the function's time-out.
      visibilityTimeout: Duration.minutes(1),
    });
    acknowledgeFinding(
      this.queue,
      'AwsSolutions-SQS3',
      'A message that fails is not needed: reconcile resumes the delivery from its record.',
    );
  }

  /** Invokes the function with one message at a time: a failing delivery must not affect another. */
  process(lambda: LambdaFunction, settings: CapacitySettings): void {
    const maxConcurrency = divideCapacity(settings).firstAttempts;
    lambda.addEventSource(new SqsEventSource(this.queue, { batchSize: 1, maxConcurrency }));
  }
}
