import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { MetricName } from '../../core/metrics/job-metrics.ts';
import { serviceMetric } from '../service-metric.ts';
import {
  executionFailures,
  failurePercentage,
  oldestWaitingMessageAge,
  quarterHour,
  throttlesExcept,
  workerErrors,
} from './metrics.ts';

/** What the alarms of a stage watch. */
export type MonitoredResources = {
  stage: string;
  queue: IQueue;
  deadLetterQueue: IQueue;
  transcode: IFunction;
  encodeChunk: IFunction;
  joinChunks: IFunction;
  parallelMachine: IStateMachine;
  deliverWebhook: IFunction;
  api: IHttpApi;
};

/** Something that a person must look at. Its entry in docs/operating.md has the same name. */
export type AlarmRule = {
  name: string;
  /** The first words that a person reads. */
  description: string;
  metric: IMetric;
  /** The alarm is raised at this value or above it; with `isMinimum`, below it. */
  threshold: number;
  isMinimum?: true;
  /** How many periods of the metric in a row. */
  evaluationPeriods: number;
};

/** Every alarm of a stage. None is for a job that its owner got wrong: rejections wake nobody. */
export function alarmRules(watched: MonitoredResources): AlarmRule[] {
  const { stage, queue, deadLetterQueue, api } = watched;
  const sum = (name: MetricName) => serviceMetric(stage, name, { period: quarterHour });
  return [
    {
      name: 'dead-letters',
      description: 'Messages that the transcoder could not take. Reconcile recovers the jobs themselves.',
      metric: deadLetterQueue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum' }),
      threshold: 1,
      evaluationPeriods: 1,
    },
    {
      name: 'oldest-message',
      description: 'Jobs have waited for half an hour: there are more of them than the transcoder takes.',
      metric: oldestWaitingMessageAge(queue),
      threshold: 30 * 60,
      evaluationPeriods: 3,
    },
    {
      name: 'failure-rate',
      description: 'A fifth of the jobs of a quarter of an hour failed, and at least five of them.',
      metric: failurePercentage({ of: sum('JobsFailed'), beside: sum('JobsCompleted'), label: 'failed, %' }),
      threshold: 20,
      evaluationPeriods: 1,
    },
    {
      name: 'workers-lost',
      description: 'Transcoders ended without a word, five times in a quarter of an hour.',
      metric: sum('WorkersLost'),
      threshold: 5,
      evaluationPeriods: 1,
    },
    {
      name: 'worker-errors',
      description:
        'The transcoder, the joining of parts or the delivery of webhooks broke off five times in an hour: does it start?',
      metric: workerErrors(watched),
      threshold: 5,
      evaluationPeriods: 1,
    },
    {
      name: 'chunk-errors',
      description:
        'The encoding of parts broke off twenty times in an hour: such jobs are encoded in one piece.',
      metric: watched.encodeChunk.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      threshold: 20,
      evaluationPeriods: 1,
    },
    {
      name: 'parallel-failures',
      description:
        'The work on the parts of a job ended without an end of the job. Reconcile takes it up again.',
      metric: executionFailures(watched.parallelMachine),
      threshold: 1,
      evaluationPeriods: 1,
    },
    {
      name: 'throttles',
      description:
        'Lambda turned away more than parts, which take turns: the concurrency of the account is used up.',
      metric: throttlesExcept(watched.encodeChunk),
      threshold: 10,
      evaluationPeriods: 2,
    },
    {
      name: 'abandoned-webhooks',
      description: 'Half of the webhooks of a quarter of an hour were abandoned, and at least five of them.',
      metric: failurePercentage({
        of: sum('WebhooksAbandoned'),
        beside: sum('WebhooksDelivered'),
        label: 'abandoned, %',
      }),
      threshold: 50,
      evaluationPeriods: 1,
    },
    {
      name: 'reconcile-not-running',
      description: 'Reconcile has not come to the end of a run for ten minutes: nothing recovers lost work.',
      metric: serviceMetric(stage, 'ReconcileRuns'),
      threshold: 1,
      isMinimum: true,
      evaluationPeriods: 2,
    },
    {
      name: 'reconcile-failures',
      description: 'Reconcile has failed to bring some job forward for a quarter of an hour.',
      metric: serviceMetric(stage, 'ReconcileFailed'),
      threshold: 1,
      evaluationPeriods: 3,
    },
    {
      name: 'api-errors',
      description: 'The API answered with 5xx, ten times within five minutes, twice in a row.',
      metric: api.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 10,
      evaluationPeriods: 2,
    },
  ];
}
