import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const { stateful, service, edge } = synthesizedStage({
  contracts,
  settings: { ...stages.production, logRetentionDays: 14 },
});

type Resource = { Type: string; Properties: Record<string, unknown> };
const resources: Record<string, Resource> = Object.assign(
  {},
  ...[stateful, service, edge].map((template) => template?.toJSON().Resources),
);
const ofType = (type: string) =>
  Object.entries(resources).flatMap(([id, { Type, Properties }]) => (Type === type ? [[id, Properties] as const] : []));

describe('every log of a stage', () => {
  it.each(ofType('AWS::Logs::LogGroup'))('is kept for the days of the setting: %s', (_, properties) => {
    expect(properties.RetentionInDays).toBe(14);
  });

  // Lambda creates a log group without expiry for a function without one.
  it.each(ofType('AWS::Lambda::Function'))('of a function is in a group of the template: %s', (_, properties) => {
    const { LogGroup } = (properties.LoggingConfig ?? {}) as { LogGroup?: { Ref: string } };
    expect(resources[LogGroup?.Ref ?? '']?.Type).toBe('AWS::Logs::LogGroup');
  });

  it('of CloudFront expires after the same number of days', () => {
    const rules = { Rules: [{ ExpirationInDays: 14, Id: 'logs', Status: 'Enabled' }] };
    service.hasResourceProperties('AWS::S3::Bucket', { LifecycleConfiguration: rules });
  });
});
