import { Duration } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { transcodeTimeout } from './transcoder.ts';

/** Holds jobs between the API and the transcoder, and sets aside messages that nothing can read. */
export class TranscodeQueue extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { stage }: { stage: string }) {
    super(scope, id);
    const deadLetters = new Queue(this, 'DeadLetters', {
      queueName: `${stage}-transcode-dead-letters`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'Queue', {
      queueName: `${stage}-transcode`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(4),
      // AWS asks for six times the function's time-out. It is no recovery time: a lost worker is found by its lease.
      visibilityTimeout: Duration.minutes(6 * transcodeTimeout.toMinutes()),
      // Five, as AWS advises: a throttled invocation counts as a receive.
      deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
    });
    new Alarm(this, 'DeadLettersAlarm', {
      alarmName: `${stage}-dead-letters`,
      alarmDescription:
        'Messages that the transcoder could not read. The jobs themselves are recovered by reconcile.',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
      threshold: 1,
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}
