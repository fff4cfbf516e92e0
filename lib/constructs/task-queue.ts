import { Duration } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { DeduplicationScope, FifoThroughputLimit, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { namePrefix } from '../names.ts';
import { mappingScale } from '../settings/mapping-scale.ts';
import { workerTimeout } from './worker-function.ts';

/**
 * A queue of tasks from a state machine, with its dead-letter queue. FIFO: of each message group,
 * one message is processed at a time.
 */
export class TaskQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, { stage, name }: { stage: string; name: string }) {
    super(scope, id);
    const common = { fifo: true, encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };
    this.deadLetterQueue = new Queue(this, 'DeadLetters', {
      ...common,
      queueName: `${namePrefix(stage)}-${name}-dead-letters.fifo`,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      ...common,
      queueName: `${namePrefix(stage)}-${name}.fifo`,
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
