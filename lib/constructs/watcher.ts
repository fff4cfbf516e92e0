import { Duration, Stack } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction, SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { Preset } from '../../core/presets/preset.ts';
import { acknowledgeFinding } from '../acknowledge-findings.ts';
import { namePrefix } from '../names.ts';
import { divideCapacity } from '../settings/capacity.ts';
import type { Settings } from '../settings/settings.ts';
import { filesOfWatches, stageWatches, watchedBuckets } from '../settings/watches.ts';
import { BundledFunction, filesOf } from './bundled-function.ts';

export type WatcherProps = { settings: Settings; presets: readonly Preset[]; buildDirectory: string };

/** Makes jobs of new objects: by events of the buckets of the account, and by a sweep of each watch. */
export class Watcher extends Construct {
  readonly lambda: BundledFunction['lambda'];

  constructor(scope: Construct, id: string, { settings, presets, buildDirectory }: WatcherProps) {
    super(scope, id);
    const prefix = namePrefix(settings.stage);
    const watches = stageWatches(settings);
    this.lambda = new BundledFunction(this, {
      name: 'watch',
      buildDirectory,
      settings,
      // A sweep holds the hash of every object: about 130 bytes.
      memoryMb: 1024,
      timeoutSeconds: 300,
      files: { ...filesOfWatches(settings), ...filesOf(presets) },
    }).lambda;
    // A sweep that fails is repeated after one and two minutes; then the next one does the same work.
    this.lambda.configureAsyncInvoke({ maxEventAge: Duration.minutes(5), retryAttempts: 2 });
    new Rule(this, 'Sweep', {
      ruleName: `${prefix}-sweep-watches`,
      schedule: Schedule.rate(Duration.minutes(5)),
      targets: [new LambdaFunction(this.lambda)],
    });
    if (watches.some(({ bucket }) => bucket !== undefined)) this.takeEvents(settings);
  }

  private takeEvents(settings: Settings): void {
    const prefix = namePrefix(settings.stage);
    const queue = new Queue(this, 'Objects', {
      queueName: `${prefix}-objects`,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // The sweep makes the jobs of events that are lost: until then an event is tried again.
      retentionPeriod: Duration.hours(4),
      // Lambda requires the function's time-out.
      visibilityTimeout: Duration.minutes(5),
    });
    acknowledgeFinding(queue, 'AwsSolutions-SQS3', 'A message that fails is not needed: the sweep finds its object.');
    // Of a new account's ten executions the smallest number that Lambda accepts: a burst of objects must not stop the API.
    const maxConcurrency = Math.max(2, Math.min(5, divideCapacity(settings).others));
    this.lambda.addEventSource(
      new SqsEventSource(queue, { batchSize: 10, maxConcurrency, reportBatchItemFailures: true }),
    );
    const buckets = watchedBuckets(settings);
    new Rule(this, 'ObjectCreated', {
      ruleName: `${prefix}-objects`,
      eventPattern: {
        source: ['aws.s3'],
        detailType: ['Object Created'],
        detail: { bucket: { name: buckets.map(({ bucket }) => bucket) }, object: { key: keyPatterns(settings) } },
      },
      targets: [new SqsQueue(queue)],
    });
    // On the local stage the buckets of the account are outside the template.
    if (settings.stage === 'local') return;
    for (const { bucket } of buckets.filter(({ enableEvents, isOwn }) => enableEvents && !isOwn)) {
      Bucket.fromBucketName(this, `Bucket-${bucket}`, bucket).enableEventBridgeNotification();
    }
    acknowledgeNotificationsHandler(this);
  }
}

/** The prefixes of the keys, each once. An event pattern has at most 2,048 characters: longer ones are left to the function. */
function keyPatterns(settings: Settings): unknown[] {
  const prefixes = [
    ...new Set(stageWatches(settings).flatMap(({ bucket, prefix }) => (bucket === undefined ? [] : prefix))),
  ];
  const patterns = prefixes.map((prefix) => ({ prefix }));
  return prefixes.includes('') || JSON.stringify(patterns).length > 1_000 ? [{ exists: true }] : patterns;
}

/** CDK's function merges the configuration of a bucket with what the bucket has. */
function acknowledgeNotificationsHandler(scope: Construct): void {
  const handler = Stack.of(scope).node.tryFindChild('BucketNotificationsHandler050a0587b7544547bf325f094a3db834');
  if (handler === undefined) return;
  const reason = 'The function of CDK that changes the notifications of buckets.';
  for (const resource of handler.node.findAll()) {
    for (const id of [
      'AwsSolutions-L1',
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole]',
      'AwsSolutions-IAM5[Resource::*]',
    ])
      acknowledgeFinding(resource, id, reason);
  }
}
