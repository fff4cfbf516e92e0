import type { ResourceKind } from './resource-kind.ts';
import { bucket } from './resources/bucket.ts';
import {
  distribution,
  edgeFunction,
  keyValueStore,
  originAccessControl,
  responseHeadersPolicy,
} from './resources/cloudfront.ts';
import { cluster, securityGroup, taskDefinition } from './resources/ecs.ts';
import { eventBus, rule } from './resources/events.ts';
import { httpApi, httpIntegration, httpRoute, httpStage } from './resources/http-api.ts';
import { key, keyAlias } from './resources/key.ts';
import { eventInvokeConfig, eventSourceMapping, lambdaFunction } from './resources/lambda.ts';
import {
  bucketPolicy,
  functionPermission,
  logGroup,
  managedPolicy,
  queuePolicy,
  role,
  rolePolicy,
} from './resources/permissions.ts';
import { queue } from './resources/queue.ts';
import { stateMachine } from './resources/state-machine.ts';
import { table } from './resources/table.ts';

const noAlarms = 'there are no alarms here';
const oneAddress = 'the local stage has one address';

/** Resource types without effect here, each with the reason. References to them throw. */
export const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::ApiMapping': oneAddress,
  'AWS::ApiGatewayV2::DomainName': oneAddress,
  'AWS::Budgets::Budget': 'there are no bills here',
  'AWS::CDK::Metadata': 'usage data of CDK',
  'AWS::CertificateManager::Certificate': oneAddress,
  'AWS::CloudWatch::Alarm': 'there are no metrics here',
  'AWS::CloudWatch::Dashboard': 'there are no metrics here',
  'AWS::Route53::RecordSet': oneAddress,
  'AWS::SNS::Subscription': noAlarms,
  'AWS::SNS::Topic': noAlarms,
  'AWS::SNS::TopicPolicy': noAlarms,
};

/** The supported resource types by their CloudFormation name. */
export const resourceKinds: ReadonlyMap<string, ResourceKind> = new Map(
  [
    bucket,
    bucketPolicy,
    cluster,
    distribution,
    edgeFunction,
    eventBus,
    eventInvokeConfig,
    eventSourceMapping,
    functionPermission,
    httpApi,
    httpIntegration,
    httpRoute,
    httpStage,
    key,
    keyAlias,
    keyValueStore,
    lambdaFunction,
    logGroup,
    managedPolicy,
    originAccessControl,
    queue,
    queuePolicy,
    responseHeadersPolicy,
    role,
    rolePolicy,
    rule,
    securityGroup,
    stateMachine,
    table,
    taskDefinition,
  ].map((kind): [string, ResourceKind] => [kind.type, kind]),
);
