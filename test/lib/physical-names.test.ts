import { expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { namePrefix } from '../../lib/names.ts';
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

/**
 * AWS requires the start of these log groups and of aliases, gives `$default` a meaning, and stores policies inside of
 * their role.
 */
const fixedStart = /^(\/aws\/(lambda|vendedlogs\/\w+)\/|alias\/)/;
const exemptions: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Stage': ['StageName'],
  'AWS::IAM::Policy': ['PolicyName'],
  'AWS::CertificateManager::Certificate': ['DomainName'],
  'AWS::ApiGatewayV2::DomainName': ['DomainName'],
  'AWS::ApiGatewayV2::ApiMapping': ['DomainName'],
  'AWS::Lambda::Permission': ['FunctionName'],
  'AWS::Lambda::EventSourceMapping': ['FunctionName'],
  'AWS::Lambda::EventInvokeConfig': ['FunctionName'],
  // Names of metrics, display, hosts, and references of CDK's own deployment functions.
  'AWS::CloudWatch::Alarm': ['MetricName'],
  'AWS::SNS::Topic': ['DisplayName'],
  'AWS::Route53::RecordSet': ['Name'],
  'Custom::CDKBucketDeployment': ['DestinationBucketName'],
  'Custom::S3AutoDeleteObjects': ['BucketName'],
};

type Resource = { Type: string; Properties?: Record<string, unknown> };

const account = '123456789012';

it.each([
  ['every part of a stage', stages.production],
  ['a stage with the defaults', { account, region: 'eu-central-1' }],
])('every name in the account begins with the same prefix: %s', (_, settings) => {
  const { stateful, service, edge } = synthesizedStage({ settings });
  const templates = [stateful, service, edge].flatMap((template) => template?.toJSON() ?? []);
  const named = templates.flatMap(({ Resources }) => Object.values<Resource>(Resources).flatMap(namesOf));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(([, name]) => !name.replace(fixedStart, '').startsWith(namePrefix('test')))).toEqual([]);
});

/** The names that a resource sets, here or in its configuration object, with its type. */
function namesOf({ Type, Properties = {} }: Resource): [string, string][] {
  const configurations = Object.entries(Properties)
    .filter(([key]) => /^(ResponseHeadersPolicy|OriginAccessControl)Config$/.test(key))
    .map(([, value]) => value as Record<string, unknown>);
  return [Properties, ...configurations].flatMap((properties) =>
    Object.entries(properties)
      .filter(([key]) => /(^|[a-z])Name$/.test(key) && !exemptions[Type]?.includes(key))
      .map(([, name]): [string, string] => [Type, typeof name === 'string' ? name : JSON.stringify(name)]),
  );
}
