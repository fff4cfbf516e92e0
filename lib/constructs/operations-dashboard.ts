import { Aws, Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { MetricName } from '../../core/metrics/job-metrics.ts';
import type { MonitoredResources } from '../monitoring/alarm-rules.ts';
import { oldestTaskAge, serviceMetric } from '../monitoring/metrics.ts';
import { namePrefix } from '../names.ts';

export type OperationsDashboardProps = MonitoredResources & { alarms: Alarm[]; queue: IQueue };

/** CloudWatch dashboard of a stage: the first page to open after an alarm. */
export class OperationsDashboard extends Construct {
  constructor(scope: Construct, id: string, props: OperationsDashboardProps) {
    super(scope, id);
    const { stage, alarms } = props;
    new Dashboard(this, 'Dashboard', {
      // Dashboard names are global: the region separates the same stage in two regions.
      dashboardName: `${namePrefix(stage)}-${Stack.of(this).region}`,
      defaultInterval: Duration.hours(12),
      widgets: [
        [new AlarmStatusWidget({ title: 'Alarms', alarms, width: 24, height: 3 })],
        jobs(stage),
        work(props),
        chunkedJobs(props),
        webhooksAndApi(props),
        ...(props.watch === undefined ? [] : [watches(stage, props.watch)]),
        [errors(props)],
      ],
    });
  }
}

function jobs(stage: string): IWidget[] {
  const counted = (...names: MetricName[]) => names.map((name) => serviceMetric(stage, name));
  return [
    graph('Jobs by state', {
      left: counted('JobsCreated', 'JobsCompleted', 'JobsFailed', 'JobsRejected', 'JobsCancelled'),
      stacked: false,
    }),
    graph('Encode speed (media seconds per second)', {
      left: ['p10', 'p50', 'p90'].map((statistic) =>
        serviceMetric(stage, 'EncodeSpeed', { statistic, label: statistic }),
      ),
    }),
    graph('Cost of ended jobs (dollars)', { left: counted('JobUsd') }),
    graph('Recovery', {
      left: counted('WorkersLost', 'MessagesResent', 'ReconcileDue', 'ReconcileFailed', 'JobsFailedByService'),
    }),
  ];
}

function work({ stage, queue, transcode }: OperationsDashboardProps): IWidget[] {
  return [
    graph('Queue', {
      left: [queue.metricApproximateNumberOfMessagesVisible(), queue.metricApproximateNumberOfMessagesNotVisible()],
      right: [serviceMetric(stage, 'OldestWaitingSeconds', { statistic: 'Maximum' })],
    }),
    graph('Time in the queue (seconds)', {
      left: ['p50', 'p90', 'Maximum'].map((statistic) =>
        serviceMetric(stage, 'QueueSeconds', { statistic, label: statistic }),
      ),
    }),
    graph('Transcoder', {
      left: [transcode.metric('ConcurrentExecutions', { statistic: 'Maximum' }), transcode.metricErrors()],
      right: [transcode.metricDuration({ statistic: 'p90' })],
    }),
  ];
}

function chunkedJobs({
  encodeChunk,
  joinChunks,
  parallelStateMachine,
  taskQueues,
}: OperationsDashboardProps): IWidget[] {
  return [
    graph('Chunked jobs', {
      left: [
        parallelStateMachine.metricStarted(),
        parallelStateMachine.metricSucceeded(),
        parallelStateMachine.metricFailed(),
        parallelStateMachine.metricTimedOut(),
        parallelStateMachine.metricAborted(),
      ],
    }),
    graph('Encoding of chunks', {
      left: [
        encodeChunk.metric('ConcurrentExecutions', { statistic: 'Maximum' }),
        encodeChunk.metricErrors(),
        encodeChunk.metricThrottles(),
      ],
      right: [encodeChunk.metricDuration({ statistic: 'p90' })],
    }),
    graph('Joining of chunks', {
      left: [joinChunks.metricInvocations(), joinChunks.metricErrors()],
      right: [joinChunks.metricDuration({ statistic: 'p90' })],
    }),
    graph('Queues of tasks', {
      left: taskQueues.map((taskQueue) => taskQueue.metricApproximateNumberOfMessagesVisible()),
      right: [oldestTaskAge(taskQueues)],
    }),
  ];
}

function watches(stage: string, watch: IFunction): IWidget[] {
  const lag = serviceMetric(stage, 'WatchLagSeconds', { statistic: 'Maximum' });
  return [graph('Watches', { left: [watch.metricInvocations(), watch.metricErrors()], right: [lag] })];
}

function webhooksAndApi({ stage, api, deliverWebhook }: OperationsDashboardProps): IWidget[] {
  return [
    graph('Webhooks', {
      left: [serviceMetric(stage, 'WebhooksDelivered'), serviceMetric(stage, 'WebhooksAbandoned')],
      right: [deliverWebhook.metricDuration({ statistic: 'p90' })],
    }),
    graph('API requests', { left: [api.metricCount(), api.metricClientError(), api.metricServerError()] }),
    graph('API latency (milliseconds)', {
      left: ['p50', 'p90', 'p99'].map((statistic) => api.metricLatency({ statistic, label: statistic })),
    }),
  ];
}

/** Failed jobs and errors in the workers' logs, newest first. */
function errors(props: OperationsDashboardProps): IWidget {
  const { transcode, encodeChunk, joinChunks, deliverWebhook, stage } = props;
  const fargate = props.fargateStateMachine === undefined ? [] : [`${namePrefix(stage)}-fargate`];
  return new LogQueryWidget({
    title: 'Failed jobs and errors of the workers',
    logGroupNames: [transcode, encodeChunk, joinChunks, deliverWebhook]
      .map(({ functionName }) => `/aws/lambda/${functionName}`)
      .concat(`/aws/lambda/${namePrefix(stage)}-reconcile`, fargate),
    region: Aws.REGION,
    queryLines: [
      'fields @timestamp, @log, message, error.code, error.message, jobId, requestId, type, record.status, record.errorType',
      'filter level = "ERROR" or JobsFailed = 1 or record.status in ["error", "failure", "timeout"]',
      'sort @timestamp desc',
      'limit 50',
    ],
    width: 24,
    height: 8,
  });
}

function graph(title: string, metrics: { left: IMetric[]; right?: IMetric[]; stacked?: boolean }): GraphWidget {
  return new GraphWidget({ title, width: 8, height: 6, leftYAxis: { min: 0 }, ...metrics });
}
