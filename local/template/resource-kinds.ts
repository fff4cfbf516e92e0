import type { ResourceKind } from './resource-kind.ts';
import { bucket } from './resources/bucket.ts';
import { eventSourceMapping } from './resources/event-source-mapping.ts';
import { eventBus, scheduleRule } from './resources/events.ts';
import { lambdaFunction } from './resources/function.ts';
import { httpApi, httpIntegration, httpRoute, httpStage } from './resources/http-api.ts';
import { queue } from './resources/queue.ts';
import { stateMachine } from './resources/state-machine.ts';
import { table } from './resources/table.ts';

const notEnforced = 'permissions are not enforced here; template assertions check them';
const noAlarms = 'there are no alarms here';

/** Resource types without effect here, each with the reason. References to them throw. */
export const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'usage data of CDK',
  'AWS::CloudWatch::Alarm': 'there are no metrics here',
  'AWS::CloudWatch::Dashboard': 'there are no metrics here',
  'AWS::IAM::ManagedPolicy': notEnforced,
  'AWS::IAM::Policy': notEnforced,
  'AWS::IAM::Role': notEnforced,
  'AWS::Lambda::Permission': notEnforced,
  'AWS::Logs::LogGroup': 'all logs go to the terminal here',
  'AWS::S3::BucketPolicy': notEnforced,
  'AWS::SNS::Subscription': noAlarms,
  'AWS::SNS::Topic': noAlarms,
  'AWS::SNS::TopicPolicy': noAlarms,
  'AWS::SQS::QueuePolicy': notEnforced,
};

/** The supported resource types by their CloudFormation name. */
export const resourceKinds: ReadonlyMap<string, ResourceKind> = new Map(
  [
    bucket,
    eventBus,
    eventSourceMapping,
    httpApi,
    httpIntegration,
    httpRoute,
    httpStage,
    lambdaFunction,
    queue,
    scheduleRule,
    stateMachine,
    table,
  ].map((kind): [string, ResourceKind] => [kind.type, kind]),
);
