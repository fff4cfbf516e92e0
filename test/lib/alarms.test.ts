import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { metricUnits } from '../../core/metrics/job-metrics.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

const { service } = synthesizedStage({ settings: { alarmEmail: 'operations@example.com' } });
const alarms = resourcesOf(service, 'AWS::CloudWatch::Alarm');
const named = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `media-jobs-test-${name}`) ?? {};

type Watching = {
  MetricStat?: { Metric: { MetricName: string; Dimensions?: { Value: unknown }[] }; Stat: string; Period: number };
};

describe('the alarms', () => {
  it('cover these failures', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName)).toEqual([
      'media-jobs-test-dead-letters',
      'media-jobs-test-oldest-job',
      'media-jobs-test-oldest-task',
      'media-jobs-test-oldest-delivery',
      'media-jobs-test-failure-rate',
      'media-jobs-test-service-errors',
      'media-jobs-test-workers-lost',
      'media-jobs-test-worker-errors',
      'media-jobs-test-chunk-errors',
      'media-jobs-test-parallel-failures',
      'media-jobs-test-throttles',
      'media-jobs-test-abandoned-webhooks',
      'media-jobs-test-reconcile-not-running',
      'media-jobs-test-reconcile-failures',
      'media-jobs-test-api-errors',
    ]);
  });

  it('cover the dead-letter queues of the transcoder, of the chunks and of the joins', () => {
    const { Metrics } = named('dead-letters') as { Metrics: Watching[] };
    const queues = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? []);
    expect(queues).toHaveLength(3);
    expect(new Set(queues.map(({ Value }) => JSON.stringify(Value))).size).toBe(3);
  });

  it('measure the longest wait of a job by its record, which stays when its message is gone', () => {
    expect(named('oldest-job')).toMatchObject({
      MetricName: 'OldestWaitingSeconds',
      Namespace: 'MediaJobs',
      Statistic: 'Maximum',
      Period: 300,
      EvaluationPeriods: 3,
      Threshold: 1_800,
    });
  });

  it('measure the longest wait of a task in the queues of chunks and joins', () => {
    const { Threshold, Metrics } = named('oldest-task') as { Threshold: number; Metrics: Watching[] };
    const [expression, ...watching] = Metrics as ({ Expression?: string } & Watching)[];
    expect(Threshold).toBe(7_200);
    expect(expression?.Expression).toBe('MAX([FILL(queue0, 0), FILL(queue1, 0)])');
    expect(watching.map(({ MetricStat }) => MetricStat)).toMatchObject(
      ['EncodeChunk', 'JoinChunks'].map((name) => ({
        Metric: {
          MetricName: 'ApproximateAgeOfOldestMessage',
          Dimensions: [{ Value: { 'Fn::GetAtt': [expect.stringMatching(`^${name}TasksQueue`), 'QueueName'] } }],
        },
        Stat: 'Maximum',
        Period: 300,
      })),
    );
  });

  it('measure the longest wait of a webhook, which nothing else shows if its function is not invoked', () => {
    expect(named('oldest-delivery')).toMatchObject({
      MetricName: 'ApproximateAgeOfOldestMessage',
      Dimensions: [{ Value: { 'Fn::GetAtt': [expect.stringMatching(/^Deliveries/), 'QueueName'] } }],
      Statistic: 'Maximum',
      Period: 300,
      EvaluationPeriods: 3,
      Threshold: 300,
    });
  });

  it('notify the topic and the configured e-mail address when they are raised and when they end', () => {
    for (const { AlarmActions, OKActions } of alarms) {
      expect(AlarmActions).toEqual([{ Ref: expect.stringMatching(/^AlarmsTopic/) }]);
      expect(OKActions).toEqual(AlarmActions);
    }
    service.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'operations@example.com' });
  });

  it('may publish to the topic from this account only: a custom policy replaces the default of SNS', () => {
    service.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    });
  });

  it('treat missing data as good, except for reconcile', () => {
    const onSilence = alarms.filter(({ TreatMissingData }) => TreatMissingData === 'breaching');
    expect(onSilence.map(({ AlarmName }) => AlarmName)).toEqual(['media-jobs-test-reconcile-not-running']);
    expect(alarms.every(({ TreatMissingData }) => TreatMissingData !== undefined)).toBe(true);
  });

  it('evaluate metrics that the service emits, of this stage only', () => {
    const own = [...JSON.stringify(alarms).matchAll(/"MetricName":"(\w+)","Namespace":"MediaJobs"/g)];
    expect(own.length).toBeGreaterThan(0);
    for (const [, name] of own) expect(metricUnits).toHaveProperty(name ?? '');
    expect(named('workers-lost').Dimensions).toEqual([{ Name: 'stage', Value: 'test' }]);
  });

  it('evaluate failures and abandoned webhooks as a percentage, from five on', () => {
    for (const name of ['failure-rate', 'abandoned-webhooks']) {
      const [expression] = named(name).Metrics as { Expression?: string }[];
      expect(expression?.Expression).toBe(
        'IF(FILL(bad, 0) >= 5, 100 * FILL(bad, 0) / (FILL(bad, 0) + FILL(good, 0)), 0)',
      );
    }
  });
});

it('the alarm worker-errors counts a worker that cannot start, for which the service emits no metric', () => {
  const { Threshold, Metrics } = named('worker-errors') as { Threshold: number; Metrics: Watching[] };
  const watching = Metrics.flatMap(({ MetricStat }) => MetricStat ?? []);
  const functions = watching.map(({ Metric }) => Metric.Dimensions?.[0]?.Value);
  expect(Threshold).toBe(3);
  expect(watching.map(({ Metric, Stat, Period }) => [Metric.MetricName, Stat, Period])).toEqual([
    ['Errors', 'Sum', 3600],
    ['Errors', 'Sum', 3600],
    ['Errors', 'Sum', 3600],
  ]);
  expect(functions).toEqual([
    { Ref: expect.stringMatching(/^TranscoderFunction/) },
    { Ref: expect.stringMatching(/^JoinChunksFunction/) },
    { Ref: expect.stringMatching(/^DeliverWebhookFunction/) },
  ]);
});

it('the alarm throttles ignores throttled chunks, which are retried', () => {
  const [expression, ...watching] = named('throttles').Metrics as ({ Expression?: string } & Watching)[];
  expect(expression?.Expression).toBe('FILL(all, 0) - FILL(chunks, 0)');
  expect(watching.map(({ MetricStat }) => MetricStat)).toMatchObject([
    { Metric: { MetricName: 'Throttles', Namespace: 'AWS/Lambda' }, Period: 300, Stat: 'Sum' },
    {
      Metric: {
        MetricName: 'Throttles',
        Namespace: 'AWS/Lambda',
        Dimensions: [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^EncodeChunkFunction/) } }],
      },
    },
  ]);
  expect(watching[0]?.MetricStat?.Metric).not.toHaveProperty('Dimensions');
});

describe('the alarms about chunked jobs', () => {
  it('count failed and timed-out executions, but no cancelled ones', () => {
    const { Threshold, Metrics } = named('parallel-failures') as { Threshold: number; Metrics: Watching[] };
    const watching = Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
    expect(Threshold).toBe(1);
    expect(watching.map(({ MetricName }) => MetricName)).toEqual(['ExecutionsFailed', 'ExecutionsTimedOut']);
    for (const { Dimensions } of watching) {
      expect(Dimensions?.[0]?.Value).toEqual({ Ref: expect.stringMatching(/^ParallelMachine/) });
    }
  });

  it('count failing chunks from a high number on, since the chunks of one job fail together', () => {
    expect(named('chunk-errors')).toMatchObject({
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: { Ref: expect.stringMatching(/^EncodeChunkFunction/) } }],
      Threshold: 20,
      Period: 3600,
    });
  });
});

describe('a stage with a budget', () => {
  const budget = { budgetUsdPerMonth: 200, alarmEmail: 'bills@example.com' };
  const { service: budgeted } = synthesizedStage({ settings: budget });

  it('has a monthly budget of the account, with messages before and at its end', () => {
    const { Budget, NotificationsWithSubscribers } = theOnly(budgeted, 'AWS::Budgets::Budget');
    expect(Budget).toEqual({ BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 200, Unit: 'USD' } });
    const sent = NotificationsWithSubscribers as {
      Notification: { NotificationType: string; Threshold: number };
      Subscribers: object[];
    }[];
    expect(sent.map(({ Notification }) => [Notification.NotificationType, Notification.Threshold])).toEqual([
      ['ACTUAL', 80],
      ['ACTUAL', 100],
      ['FORECASTED', 100],
    ]);
    for (const { Subscribers } of sent) {
      expect(Subscribers).toEqual([{ SubscriptionType: 'EMAIL', Address: 'bills@example.com' }]);
    }
  });

  it('has an alarm on the cost of the jobs of a day, at a tenth of the budget', () => {
    budgeted.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: 'media-jobs-test-job-spending',
      MetricName: 'JobUsd',
      Statistic: 'Sum',
      Period: 86_400,
      EvaluationPeriods: 1,
      Threshold: 20,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      TreatMissingData: 'notBreaching',
    });
  });

  it('has neither by default', () => {
    service.resourceCountIs('AWS::Budgets::Budget', 0);
    expect(named('job-spending')).toEqual({});
  });
});

describe('the operations dashboard', () => {
  it('is named after stage and region, and shows every metric of jobs and webhooks', () => {
    const { DashboardName, DashboardBody } = theOnly(service, 'AWS::CloudWatch::Dashboard');
    expect(DashboardName).toEqual({ 'Fn::Join': ['', ['media-jobs-test-', { Ref: 'AWS::Region' }]] });
    const body = JSON.stringify(DashboardBody);
    const shown = Object.keys(metricUnits).filter((name) => body.includes(name));
    const hidden = ['MediaSeconds', 'ComputeSeconds', 'ReconcileRuns', 'WatchLagSeconds'];
    expect(shown.toSorted()).toEqual(
      Object.keys(metricUnits)
        .filter((name) => !hidden.includes(name))
        .toSorted(),
    );
  });

  it('shows the state machine of chunked jobs, and the errors of every worker', () => {
    const [{ DashboardBody } = {}] = resourcesOf(service, 'AWS::CloudWatch::Dashboard');
    const body = JSON.stringify(DashboardBody);
    for (const metric of ['ExecutionsStarted', 'ExecutionsFailed', 'ExecutionsTimedOut', 'Throttles']) {
      expect(body).toContain(metric);
    }
    const logs = body.slice(body.indexOf('SOURCE'));
    for (const worker of ['Transcoder', 'EncodeChunk', 'JoinChunks', 'DeliverWebhook']) {
      expect(logs).toContain(`{"Ref":"${worker}Function`);
    }
  });
});
