import type { App } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

const { account, region, domain, identityProvider } = stages.production;
const { hostedZone: _, ...elsewhere } = domain;

/** A stage in the order in which it grows: an address, a dashboard, a firewall; with the warnings of its synthesis. */
function aStage(settings: Record<string, unknown>) {
  const warnings: unknown[] = [];
  const prepare = (app: App) => {
    const { metadata } = app.node.findChild('service').node;
    warnings.push(...metadata.filter(({ type }) => type === 'aws:cdk:warning').map(({ data }) => data));
  };
  return { ...synthesizedStage({ settings, prepare }), warnings };
}

const plain = aStage({});
const named = aStage({ domain });
const withDashboard = aStage({ account, region, domain, identityProvider });
const withFirewall = aStage({ account, region, domain, identityProvider, edge: { requestsPerAddress: 1000 } });

const isCertificate = {
  DomainName: 'media.example.com',
  DomainValidationOptions: [{ DomainName: 'media.example.com', HostedZoneId: 'Z0123456789ABCDEFGHIJ' }],
};

/** What the functions know of addresses, and of the origin that they require. */
const addressesOf = ({ service }: { service: Template }) =>
  resourcesOf(service, 'AWS::Lambda::Function').flatMap(({ FunctionName, Environment }) => {
    const { PUBLIC_URL, ORIGIN_SECRET } = (Environment as { Variables?: Record<string, unknown> })?.Variables ?? {};
    return PUBLIC_URL === undefined && ORIGIN_SECRET === undefined ? [] : [{ FunctionName, PUBLIC_URL, ORIGIN_SECRET }];
  });

const recordsOf = ({ service }: { service: Template }) => service.findResources('AWS::Route53::RecordSet');

describe('a domain', () => {
  it('needs neither CloudFront nor account and region: a regional certificate at API Gateway', () => {
    expect(named.edge).toBeUndefined();
    named.service.hasResourceProperties('AWS::CertificateManager::Certificate', isCertificate);
    expect(theOnly(named.service, 'AWS::ApiGatewayV2::DomainName')).toMatchObject({
      DomainName: 'media.example.com',
      DomainNameConfigurations: [{ EndpointType: 'REGIONAL', SecurityPolicy: 'TLS_1_2' }],
    });
    expect(theOnly(named.service, 'AWS::ApiGatewayV2::ApiMapping')).toMatchObject({ Stage: expect.anything() });
    const [record] = Object.values(recordsOf(named));
    expect(record?.Properties.AliasTarget.DNSName).toHaveProperty(['Fn::GetAtt', 1], 'RegionalDomainName');
    for (const { PUBLIC_URL } of addressesOf(named)) expect(PUBLIC_URL).toBe('https://media.example.com');
  });

  it('is where CloudFront is later, by the same record, and API Gateway keeps it', () => {
    const [id] = Object.keys(recordsOf(named));
    const [record, ipv6] = Object.entries(recordsOf(withDashboard));
    expect([id, record?.[0]]).toEqual([id, id]);
    expect(record?.[1].Properties.AliasTarget.DNSName).toHaveProperty(['Fn::GetAtt', 1], 'DomainName');
    expect(ipv6?.[1].Properties.Type).toBe('AAAA');
    for (const type of ['AWS::ApiGatewayV2::DomainName', 'AWS::ApiGatewayV2::ApiMapping']) {
      expect(withDashboard.service.findResources(type)).toEqual(named.service.findResources(type));
    }
  });

  it('has a certificate of CloudFront in us-east-1, which is kept if another replaces it, and goes with the stack', () => {
    withDashboard.edge?.hasResource('AWS::CertificateManager::Certificate', {
      Properties: isCertificate,
      UpdateReplacePolicy: 'Retain',
      DeletionPolicy: 'Delete',
    });
  });

  it('without a zone prints the host name to point to', () => {
    const pointTo = (more: object) => {
      const { service } = synthesizedStage({ settings: { domain: elsewhere, ...more } });
      return Object.entries(service.findOutputs('*')).flatMap(([id, output]) =>
        id.includes('PointTo') ? [output] : [],
      );
    };
    expect(pointTo({})).toMatchObject([{ Value: { 'Fn::GetAtt': [expect.anything(), 'RegionalDomainName'] } }]);
    const [there] = pointTo({ account, region, identityProvider });
    expect(there?.Value).toEqual({ 'Fn::GetAtt': [expect.stringContaining('Distribution'), 'DomainName'] });
  });
});

describe('the addresses of a stage that grows', () => {
  it('stay open with a domain and a dashboard', () => {
    for (const stage of [plain, named, withDashboard]) {
      stage.service.resourceCountIs('AWS::SecretsManager::Secret', 0);
      expect(addressesOf(stage).filter(({ ORIGIN_SECRET }) => ORIGIN_SECRET !== undefined)).toEqual([]);
      expect(stage.warnings).toEqual([]);
    }
    expect(addressesOf(withDashboard)).toEqual(addressesOf(named));
  });

  it('close with a firewall, which could be bypassed otherwise, and the synthesis says so', () => {
    expect(addressesOf(withFirewall).some(({ ORIGIN_SECRET }) => ORIGIN_SECRET !== undefined)).toBe(true);
    expect(withFirewall.warnings).toEqual([
      expect.stringContaining(
        'only media.example.com answers requests: the firewall closes the address of API Gateway',
      ),
    ]);
  });
});
