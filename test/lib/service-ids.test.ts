import { expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import pinned from './service-ids.json' with { type: 'json' };

/** Resources without a name of their own that must not exist twice, or whose replacement changes the public URL or a secret. */
const pinnedTypes = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::Budgets::Budget',
  'AWS::CloudFront::Distribution',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Route53::RecordSet',
  'AWS::SNS::Subscription',
  'AWS::SecretsManager::Secret',
];

type Resource = { Type: string; Properties?: Record<string, unknown> };

/** The logical ids of the resources that have a fixed name or one of these types, with name or type. */
function idsIn(settings: object): Record<string, string> {
  const { service } = synthesizedStage({ settings: { ...settings } });
  const resources = Object.entries<Resource>(service.toJSON().Resources);
  return Object.fromEntries(
    resources.flatMap(([id, resource]) => {
      const name = nameOf(resource);
      if (name === undefined && !pinnedTypes.includes(resource.Type)) return [];
      return [[id, name ?? resource.Type]];
    }),
  );
}

/** The name that a resource has in its account, here or in its configuration object. */
function nameOf({ Properties = {} }: Resource): string | undefined {
  const configurations = Object.entries(Properties).filter(([key]) => key.endsWith('Config'));
  const all = [Properties, ...configurations.map(([, value]) => value as Record<string, unknown>)];
  const names = all.flatMap((properties) =>
    Object.entries(properties).flatMap(([key, value]) => (key.endsWith('Name') ? [value] : [])),
  );
  return names.find((name) => typeof name === 'string' && /^(\/aws\/[\w/]+\/)?media-jobs-test/.test(name)) as
    | string
    | undefined;
}

const everything = { ...stages.production, transcoder: { memoryMb: 4096 }, capacity: 1_000 };

// A changed id is a second resource, which CloudFormation creates before it deletes the first: the upgrade fails with
// "already exists". Keep the id of a construct that moves with `overrideLogicalId`. A new resource adds a line to the list.
it('the stack service never changes the logical id of a resource with a fixed name or address', () => {
  expect(idsIn(everything)).toEqual(pinned);
});

it.each(Object.entries(stages))('the ids do not depend on the settings: stage %s', (_, settings) => {
  const known = Object.keys(pinned);
  expect(Object.keys(idsIn(settings)).filter((id) => !known.includes(id))).toEqual([]);
});
