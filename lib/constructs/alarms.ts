import { Aws, CfnOutput } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { type AlarmRule, alarmRules, type MonitoredResources } from '../monitoring/alarm-rules.ts';
import { namePrefix, pascalCase } from '../names.ts';

export type AlarmsProps = MonitoredResources & { alarmEmail: string | undefined };

/** All alarms of a stage, and the topic that they notify. */
export class Alarms extends Construct {
  readonly alarms: Alarm[];

  constructor(scope: Construct, id: string, { alarmEmail, ...watched }: AlarmsProps) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', {
      topicName: `${namePrefix(watched.stage)}-alarms`,
      displayName: `Media jobs, stage ${watched.stage}`,
      enforceSSL: true,
    });
    topic.addToResourcePolicy(allowAlarms(topic));
    if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
    this.alarms = alarmRules(watched).map((rule) => this.alarm(watched.stage, rule, topic));
    new CfnOutput(this, 'TopicArn', {
      value: topic.topicArn,
      description: 'Alarms are published to this topic: subscribe to it',
    });
  }

  private alarm(stage: string, rule: AlarmRule, topic: Topic): Alarm {
    const alarm = new Alarm(this, pascalCase(rule.name), {
      alarmName: `${namePrefix(stage)}-${rule.name}`,
      alarmDescription: `${rule.description} What to do: docs/alarms.md, "${rule.name}".`,
      metric: rule.metric,
      threshold: rule.threshold,
      evaluationPeriods: rule.evaluationPeriods ?? 1,
      comparisonOperator: rule.isMinimum
        ? ComparisonOperator.LESS_THAN_THRESHOLD
        : ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // A metric without data means zero events: good, except for a metric that must always have data.
      treatMissingData: rule.isMinimum ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    const action = new SnsAction(topic);
    alarm.addAlarmAction(action);
    alarm.addOkAction(action);
    return alarm;
  }
}

/** A custom topic policy replaces the default one, which allowed the account's alarms to publish. */
function allowAlarms({ topicArn }: Topic): PolicyStatement {
  return new PolicyStatement({
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    actions: ['sns:Publish'],
    resources: [topicArn],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
}
