import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { type CapacitySettings, divideCapacity, mappingScale } from '../settings/capacity.ts';
import { workerTimeout } from './worker-function.ts';

const named = (stage: string, name: string) => ({
  queueName: `${namePrefix(stage)}-${name}`,
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
});

/**
 * A queue of tasks from a state machine, with its dead-letter queue. FIFO: of each message group,
 * one message is processed at a time.
 */
export class TaskQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { stage, name }: { stage: string; name: string }) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      ...named(stage, `${name}-dead-letters.fifo`),
      fifo: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...named(stage, `${name}.fifo`),
      fifo: true,
      // A retry of a task has another task token, so another body.
      contentBasedDeduplication: true,
      // High throughput, at no charge: otherwise the queue takes 300 requests of each kind in a second.
      deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
      fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
      // Longer than an execution runs.
      retentionPeriod: Duration.days(4),
      // Lambda requires the function's time-out. A running function shortens it to a minute and renews that; of one that dies
      // before, this is how long its message group waits.
      visibilityTimeout: Duration.minutes(1 + workerTimeout.toMinutes()),
      // More than the function's own limit, after which it gives the task up with an answer.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 10 },
    });
  }

  /** Runs at most `maxConcurrency` tasks at a time in the function, over all message groups. */
  process(lambda: LambdaFunction, maxConcurrency: number): void {
    lambda.addEnvironment('TASK_QUEUE_URL', this.queue.queueUrl);
    lambda.addEventSource(new SqsEventSource(this.queue, { batchSize: 1, ...mappingScale(maxConcurrency) }));
  }
}

/** The queue between the API and the transcoder, with its dead-letter queue. */
export class TranscodeQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id);
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      ...named(stage, 'transcode-dead-letters'),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...named(stage, 'transcode'),
      retentionPeriod: Duration.days(4),
      // AWS recommends six times the function's time-out. Recovery is faster: reconcile finds a lost worker by its lease.
      visibilityTimeout: Duration.minutes(6 * workerTimeout.toMinutes()),
      // AWS recommends at least five, since a throttled invocation counts as a receive.
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: 5 },
    });
  }
}

/** The queue of deliveries to begin. See functions/deliver-webhook/DECISION.md. */
export class DeliveryQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      ...named(stage, 'deliveries'),
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
