import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import { namePrefix } from '../names.ts';
import { BundledFunction, type StageCode } from './bundled-function.ts';

/** Resumes jobs after crashes, every minute. Overlapping runs are harmless: every write is conditional. */
export class Reconciler extends Construct {
  readonly lambda: BundledFunction['lambda'];

  constructor(scope: Construct, id: string, { settings, buildDirectory }: StageCode) {
    super(scope, id);
    this.lambda = new BundledFunction(this, {
      name: 'reconcile',
      buildDirectory,
      settings,
      memoryMb: 512,
      timeoutSeconds: 55,
    }).lambda;
    this.lambda.addEnvironment('MAX_QUEUED_HOURS', String(settings.maxQueuedHours));
    // The next minute's event does the same work. By default those of an outage would wait for six hours, and run together.
    this.lambda.configureAsyncInvoke({ maxEventAge: Duration.minutes(1), retryAttempts: 0 });
    new Rule(this, 'EveryMinute', {
      ruleName: `${namePrefix(settings.stage)}-reconcile`,
      schedule: Schedule.rate(Duration.minutes(1)),
      targets: [new LambdaFunction(this.lambda)],
    });
  }
}
