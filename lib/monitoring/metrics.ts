import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';

export const quarterHour = Duration.minutes(15);

/** Messages in flight do not count: one whose worker died stays for an hour after its job was recovered. */
export function oldestWaitingMessageAge(queue: IQueue): IMetric {
  return new MathExpression({
    expression: 'IF(FILL(waiting, 0) > 0, FILL(age, 0), 0)',
    usingMetrics: {
      waiting: queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Minimum' }),
      age: queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
    },
    period: Duration.minutes(5),
    label: 'age of the oldest waiting message, s',
  });
}

/** Over an hour: the message of a job that nobody could take is sent again at longer and longer intervals. */
export function workerErrors({
  transcode,
  joinChunks,
  deliverWebhook,
}: Record<'transcode' | 'joinChunks' | 'deliverWebhook', IFunction>): IMetric {
  const errors = { statistic: 'Sum', period: Duration.hours(1) };
  return new MathExpression({
    expression: 'FILL(transcode, 0) + FILL(join, 0) + FILL(deliver, 0)',
    usingMetrics: {
      transcode: transcode.metricErrors(errors),
      join: joinChunks.metricErrors(errors),
      deliver: deliverWebhook.metricErrors(errors),
    },
    period: Duration.hours(1),
    label: 'errors of the workers',
  });
}

/** A part that fails is no failure of the machine, which goes on to say so; nor is a cancel, which aborts it. */
export function executionFailures(machine: IStateMachine): IMetric {
  const period = Duration.hours(1);
  return new MathExpression({
    expression: 'FILL(failed, 0) + FILL(timedOut, 0)',
    usingMetrics: { failed: machine.metricFailed({ period }), timedOut: machine.metricTimedOut({ period }) },
    period,
    label: 'executions that failed',
  });
}

/** Of the account, but for those by which parts of several jobs take turns. */
export function throttlesExcept(encodeChunk: IFunction): IMetric {
  const turnedAway = { statistic: 'Sum', period: Duration.minutes(5) };
  return new MathExpression({
    expression: 'FILL(all, 0) - FILL(parts, 0)',
    usingMetrics: {
      all: LambdaFunction.metricAllThrottles(turnedAway),
      parts: encodeChunk.metricThrottles(turnedAway),
    },
    period: turnedAway.period,
    label: 'invocations turned away',
  });
}

const minCount = 5;

/** The percentage that one count is of two; 0 while it is small. Both are of a quarter of an hour. */
export function failurePercentage({
  of,
  beside,
  label,
}: {
  of: IMetric;
  beside: IMetric;
  label: string;
}): IMetric {
  return new MathExpression({
    expression: `IF(FILL(bad, 0) >= ${minCount}, 100 * FILL(bad, 0) / (FILL(bad, 0) + FILL(good, 0)), 0)`,
    usingMetrics: { bad: of, good: beside },
    period: quarterHour,
    label,
  });
}
