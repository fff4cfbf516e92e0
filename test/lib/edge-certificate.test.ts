import { describe, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStageWithEdge } from '../builders/template/synthesized-stage.ts';

const { edge } = synthesizedStageWithEdge({ settings: stages.production });

describe('the stack in us-east-1', () => {
  it('contains the certificate, validated by DNS records in the zone', () => {
    edge.hasResourceProperties('AWS::CertificateManager::Certificate', {
      DomainName: 'media.example.com',
      DomainValidationOptions: [{ HostedZoneId: 'Z0123456789ABCDEFGHIJ' }],
    });
  });

  it('retains a replaced certificate, since CloudFront uses it until the service is deployed', () => {
    edge.hasResource('AWS::CertificateManager::Certificate', {
      UpdateReplacePolicy: 'Retain',
      DeletionPolicy: 'RetainExceptOnCreate',
    });
  });
});
