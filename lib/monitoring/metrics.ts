import { Duration, Duration as Time } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { type MetricName, metricNamespace } from '../../core/metrics/job-metrics.ts';

export const quarterHour = Duration.minutes(15);

/** Age in seconds of the oldest message in any of the queues. It includes those that a worker processes. */
export function oldestTaskAge(queues: readonly IQueue[]): IMetric {
  const ages = queues.map((queue, index) => [
    `queue${index}`,
    queue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
  ]);
  return new MathExpression({
    expression: `MAX([${ages.map(([id]) => `FILL(${id}, 0)`).join(', ')}])`,
    usingMetrics: Object.fromEntries(ages),
    period: Duration.minutes(5),
    label: 'age of the oldest task, s',
  });
}

export function deadLetters(queues: readonly IQueue[]): IMetric {
  const messages = queues.map((queue, index) => [
    `queue${index}`,
    queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
  ]);
  return new MathExpression({
    expression: messages.map(([id]) => `FILL(${id}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(messages),
    period: Duration.minutes(5),
    label: 'dead letters',
  });
}

/** Over an hour, since the message of a job that no worker could claim is resent at growing intervals. */
export function workerErrors({
  transcode,
  joinChunks,
  deliverWebhook,
}: Record<'transcode' | 'joinChunks' | 'deliverWebhook', IFunction>): IMetric {
  const errors = { statistic: 'Sum', period: Duration.hours(1) };
  const usingMetrics = {
    transcode: transcode.metricErrors(errors),
    join: joinChunks.metricErrors(errors),
    deliver: deliverWebhook.metricErrors(errors),
  };
  return new MathExpression({
    expression: Object.keys(usingMetrics)
      .map((id) => `FILL(${id}, 0)`)
      .join(' + '),
    usingMetrics,
    period: Duration.hours(1),
    label: 'errors of the workers',
  });
}

/** Failed executions. A failed chunk does not fail its execution, and a cancelled job aborts it. */
export function executionFailures(machine: IStateMachine): IMetric {
  const period = Duration.hours(1);
  return new MathExpression({
    expression: 'FILL(failed, 0) + FILL(timedOut, 0)',
    usingMetrics: { failed: machine.metricFailed({ period }), timedOut: machine.metricTimedOut({ period }) },
    period,
    label: 'failed executions',
  });
}

/** Throttles of the account, except those of chunks, which are retried until capacity is free. */
export function throttlesExcept(encodeChunk: IFunction): IMetric {
  const options = { statistic: 'Sum', period: Duration.minutes(5) };
  return new MathExpression({
    expression: 'FILL(all, 0) - FILL(chunks, 0)',
    usingMetrics: { all: LambdaFunction.metricAllThrottles(options), chunks: encodeChunk.metricThrottles(options) },
    period: options.period,
    label: 'throttled invocations',
  });
}

const minCount = 5;

/** Failures in percent of all outcomes in 15 minutes; 0 below five failures. */
export function failurePercentage({
  failures,
  successes,
  label,
}: {
  failures: IMetric;
  successes: IMetric;
  label: string;
}): IMetric {
  return new MathExpression({
    expression: `IF(FILL(bad, 0) >= ${minCount}, 100 * FILL(bad, 0) / (FILL(bad, 0) + FILL(good, 0)), 0)`,
    usingMetrics: { bad: failures, good: successes },
    period: quarterHour,
    label,
  });
}

export type MetricOptions = { statistic?: string; period?: Duration; label?: string };

/** A metric that the functions of a stage emit; by default its sum over five minutes. */
export function serviceMetric(
  stage: string,
  metricName: MetricName,
  { statistic = 'Sum', period = Time.minutes(5), label }: MetricOptions = {},
): Metric {
  return new Metric({
    namespace: metricNamespace,
    metricName,
    dimensionsMap: { stage },
    statistic,
    period,
    label,
  });
}
