import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { MetricName } from '../../core/metrics/job-metrics.ts';
import {
  deadLetters,
  executionFailures,
  failurePercentage,
  oldestTaskAge,
  quarterHour,
  serviceMetric,
  throttlesExcept,
  workerErrors,
} from './metrics.ts';

export type MonitoredResources = {
  stage: string;
  /** Of chunk tasks and joins. */
  taskQueues: readonly IQueue[];
  /** Of deliveries to begin. */
  deliveryQueue: IQueue;
  deadLetterQueues: readonly IQueue[];
  transcode: IFunction;
  encodeChunk: IFunction;
  joinChunks: IFunction;
  parallelStateMachine: IStateMachine;
  fargateStateMachine?: IStateMachine | undefined;
  deliverWebhook: IFunction;
  api: IHttpApi;
  budgetUsdPerMonth?: number | undefined;
  watch?: IFunction | undefined;
};

/** An alarm that needs a person. Its section in docs/alarms.md has the same name. */
export type AlarmRule = {
  name: string;
  description: string;
  metric: IMetric;
  /** The alarm is raised at or above this value; with `isMinimum`, below it. */
  threshold: number;
  isMinimum?: true;
  /** Number of consecutive periods of the metric. Default: one. */
  evaluationPeriods?: number;
};

/** All alarms of a stage. Rejected jobs raise none: they are errors of their owner. */
export function alarmRules(watched: MonitoredResources): AlarmRule[] {
  const { stage, taskQueues, deliveryQueue, deadLetterQueues, api, budgetUsdPerMonth, fargateStateMachine } = watched;
  const sum = (name: MetricName) => serviceMetric(stage, name, { period: quarterHour });
  return [
    {
      name: 'dead-letters',
      description: 'A dead-letter queue holds messages that no worker could process. Reconcile recovers their jobs.',
      metric: deadLetters(deadLetterQueues),
      threshold: 1,
    },
    {
      name: 'oldest-job',
      description: 'Jobs have waited for 30 minutes: more jobs arrive than the transcoder can process.',
      metric: serviceMetric(stage, 'OldestWaitingSeconds', { statistic: 'Maximum' }),
      threshold: 30 * 60,
      evaluationPeriods: 3,
    },
    {
      name: 'oldest-task',
      description: 'Tasks of executions have waited in a queue for two hours. After a day an execution fails.',
      metric: oldestTaskAge(taskQueues),
      threshold: 2 * 3600,
      evaluationPeriods: 3,
    },
    {
      name: 'oldest-delivery',
      description: 'Webhooks have waited in their queue for five minutes: too few are sent, or none.',
      metric: deliveryQueue.metricApproximateAgeOfOldestMessage({ statistic: 'Maximum' }),
      // The queue keeps a message for ten minutes; reconcile then sends it again.
      threshold: 5 * 60,
      evaluationPeriods: 3,
    },
    {
      name: 'failure-rate',
      description: '20 % of the jobs of the last 15 minutes failed, at least five.',
      metric: failurePercentage({ failures: sum('JobsFailed'), successes: sum('JobsCompleted'), label: 'failed, %' }),
      threshold: 20,
    },
    {
      name: 'service-errors',
      description:
        'A job failed by an error of the service, such as a missing permission, or because its bucket took no file.',
      metric: sum('JobsFailedByService'),
      threshold: 1,
    },
    {
      name: 'workers-lost',
      description: 'Five workers stopped without reporting a result within 15 minutes.',
      metric: sum('WorkersLost'),
      threshold: 5,
    },
    {
      name: 'worker-errors',
      description: 'Functions with jobs or deliveries threw three times within an hour. Check that they start.',
      metric: workerErrors(watched),
      threshold: 3,
    },
    {
      name: 'chunk-errors',
      description:
        'encode-chunk threw twenty times within an hour. Tasks are repeated, then their jobs, the last time in a single pass.',
      metric: watched.encodeChunk.metricErrors({ statistic: 'Sum', period: Duration.hours(1) }),
      threshold: 20,
    },
    {
      name: 'parallel-failures',
      description: 'An execution of parallel-transcode failed before its job had ended. Reconcile resumes the job.',
      metric: executionFailures(watched.parallelStateMachine),
      threshold: 1,
    },
    ...(fargateStateMachine === undefined ? [] : [fargateFailures(fargateStateMachine)]),
    {
      name: 'throttles',
      description: 'Lambda throttled functions other than encode-chunk: the concurrency of the account is exhausted.',
      metric: throttlesExcept(watched.encodeChunk),
      threshold: 10,
      evaluationPeriods: 2,
    },
    {
      name: 'abandoned-webhooks',
      description: '50 % of the webhooks of the last 15 minutes were abandoned, at least five.',
      metric: failurePercentage({
        failures: sum('WebhooksAbandoned'),
        successes: sum('WebhooksDelivered'),
        label: 'abandoned, %',
      }),
      threshold: 50,
    },
    {
      name: 'reconcile-not-running',
      description: 'Reconcile has not completed a run for ten minutes: lost jobs are not recovered.',
      metric: serviceMetric(stage, 'ReconcileRuns'),
      threshold: 1,
      isMinimum: true,
      evaluationPeriods: 2,
    },
    {
      name: 'reconcile-failures',
      description: 'Reconcile has failed on at least one job for 15 minutes.',
      metric: serviceMetric(stage, 'ReconcileFailed'),
      threshold: 1,
      evaluationPeriods: 3,
    },
    ...(watched.watch === undefined ? [] : [watchLag(stage)]),
    ...(budgetUsdPerMonth === undefined ? [] : [jobSpending(stage, budgetUsdPerMonth)]),
    {
      name: 'api-errors',
      description: 'The API answered ten requests with 5xx within five minutes, twice in a row.',
      metric: api.metricServerError({ statistic: 'Sum', period: Duration.minutes(5) }),
      threshold: 10,
      evaluationPeriods: 2,
    },
  ];
}

function watchLag(stage: string): AlarmRule {
  return {
    name: 'watch-lag',
    description: 'An object of a watch has had no job for 15 minutes, or a watch could not be swept.',
    metric: serviceMetric(stage, 'WatchLagSeconds', { statistic: 'Maximum' }),
    threshold: 15 * 60,
    evaluationPeriods: 2,
  };
}

function jobSpending(stage: string, budgetUsdPerMonth: number): AlarmRule {
  const usd = budgetUsdPerMonth / 10;
  return {
    name: 'job-spending',
    description: `The jobs that ended within a day have cost $${usd} or more.`,
    metric: serviceMetric(stage, 'JobUsd', { period: Duration.days(1) }),
    threshold: usd,
  };
}

function fargateFailures(machine: IStateMachine): AlarmRule {
  return {
    name: 'fargate-failures',
    description: 'A Fargate task did not start, failed or was killed. Reconcile resumes its job.',
    metric: executionFailures(machine),
    threshold: 1,
  };
}
