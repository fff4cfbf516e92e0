import { type Duration, Duration as Time } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metricNamespace } from '../core/metrics/job-metrics.ts';

export type MetricOptions = { statistic?: string; period?: Duration; label?: string };

/** A metric that the functions of a stage emit. By default its sum over five minutes. */
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
    ...(label === undefined ? {} : { label }),
  });
}
