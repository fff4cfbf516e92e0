import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { namePrefix } from '../names.ts';
import { workerTimeout } from './worker-function.ts';

/** The queue between the API and the transcoder, with its dead-letter queue. */
export class TranscodeQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      queueName: `${namePrefix(stage)}-transcode-dead-letters`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      queueName: `${namePrefix(stage)}-transcode`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      // AWS recommends six times the function's time-out. Recovery is faster: reconcile finds a lost worker by its lease.
      visibilityTimeout: Duration.minutes(6 * workerTimeout.toMinutes()),
      // AWS recommends at least five, since a throttled invocation counts as a receive.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 5 },
    });
  }
}
