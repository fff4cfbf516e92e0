import { Match, type Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { contracts } from '../../core/api/registry.ts';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { exceededLimits, type Template as Sections } from '../builders/template/exceeded-limits.ts';
import { fixtureContracts } from '../builders/template/fixture-contracts.ts';
import { synthesizedStage, synthesizedStageWithEdge } from '../builders/template/synthesized-stage.ts';
import { resourcesOf, theOnly } from '../builders/template/template-resources.ts';

type TemplateResource = { Type: string; Properties?: object; DependsOn?: string[] };

const firewallOnly = { account: '123456789012', region: 'eu-central-1', edge: { requestsPerAddress: 1000 } };

const { service, edge } = synthesizedStageWithEdge({ settings: stages.production });

describe('the secret of the origin', () => {
  /** The numbers of the secrets in a text of the template, by their logical ids. */
  const numbersIn = (value: unknown) =>
    [...JSON.stringify(value).matchAll(/OriginSecretSecret(\d+)[0-9A-F]{8}(?![0-9A-F])/g)].map(([, number]) =>
      Number(number),
    );
  const sentBy = (template: Template) => {
    const { DistributionConfig } = theOnly(template, 'AWS::CloudFront::Distribution');
    const { Origins } = DistributionConfig as {
      Origins: { OriginCustomHeaders?: { HeaderName: string; HeaderValue: unknown }[] }[];
    };
    return Origins.flatMap(({ OriginCustomHeaders = [] }) => OriginCustomHeaders);
  };
  const acceptedBy = (template: Template) => {
    const values = resourcesOf(template, 'AWS::Lambda::Function').flatMap(({ Environment }) => {
      const { Variables = {} } = (Environment ?? {}) as { Variables?: Record<string, unknown> };
      return 'ORIGIN_SECRET' in Variables ? [Variables.ORIGIN_SECRET] : [];
    });
    expect(values).toHaveLength(fixtureContracts.length);
    return [...new Set(values.map((value) => JSON.stringify(value)))].map(numbersIn);
  };
  const settingsWith = (originSecret: number) => ({
    ...stages.production,
    edge: { ...stages.production.edge, originSecret },
  });
  const rotatedTo = (originSecret: number) => synthesizedStage({ settings: settingsWith(originSecret) }).service;
  const rotated = { 1: service, 2: rotatedTo(2), 3: rotatedTo(3) };

  it('is sent by CloudFront to the API only, and is not in the template', () => {
    expect(sentBy(service)).toEqual([{ HeaderName: 'x-origin-secret', HeaderValue: expect.anything() }]);
    expect(JSON.stringify(sentBy(service))).toContain('{{resolve:secretsmanager:');
  });

  it('is sent with the previous and the next one, and each route accepts one', () => {
    expect([numbersIn(sentBy(rotated[1])), acceptedBy(rotated[1])]).toEqual([[1, 2], [[1]]]);
    expect([numbersIn(sentBy(rotated[2])), acceptedBy(rotated[2])]).toEqual([[1, 2, 3], [[2]]]);
    expect([numbersIn(sentBy(rotated[3])), acceptedBy(rotated[3])]).toEqual([[2, 3, 4], [[3]]]);
  });

  it.each([
    ['a first rotation', 1, 2],
    ['its rollback', 2, 1],
    ['a later rotation', 2, 3],
    ['its rollback', 3, 2],
  ] as const)('is sent by CloudFront before and after %s, whichever functions have changed', (_, from, to) => {
    const accepted = [rotated[from], rotated[to]].flatMap((template) => acceptedBy(template).flat());
    for (const template of [rotated[from], rotated[to]]) {
      expect(numbersIn(sentBy(template))).toEqual(expect.arrayContaining(accepted));
      const kept = Object.keys(template.findResources('AWS::SecretsManager::Secret'));
      expect(numbersIn(kept)).toEqual(expect.arrayContaining(accepted));
    }
  });

  it('is one dynamic reference in each function and three in CloudFront, of which a template may have 60', () => {
    const template = synthesizedStage({ contracts, settings: settingsWith(2) }).service.toJSON() as Sections;
    expect(JSON.stringify(template).match(/\{\{resolve:/g)).toHaveLength(
      new Set(contracts.map((contract) => contract.function)).size + 3,
    );
    expect(exceededLimits(template)).toEqual([]);
  });

  it.each([
    ['a domain of its own', service],
    ['the domain of CloudFront', synthesizedStage({ settings: firewallOnly }).service],
  ])('is required only once CloudFront exists: %s', (_, template) => {
    const { Resources } = template.toJSON() as { Resources: Record<string, TemplateResource> };
    const all = Object.entries(Resources);
    const [distribution] = all.find(([, { Type }]) => Type === 'AWS::CloudFront::Distribution') ?? [];
    const accepting = all.filter(([, { Properties }]) => JSON.stringify(Properties).includes('ORIGIN_SECRET'));
    expect(accepting).toHaveLength(fixtureContracts.length);
    for (const [, { DependsOn }] of accepting) expect(DependsOn).toContain(distribution);
  });
});

it('the firewall limits an address, and a credential in either header', () => {
  const rate = (statement: object) => ({
    Action: { Block: { CustomResponse: { ResponseCode: 429 } } },
    Statement: { RateBasedStatement: { EvaluationWindowSec: 300, ...statement } },
  });
  const keyedBy = (Name: string) => ({
    AggregateKeyType: 'CUSTOM_KEYS',
    CustomKeys: [{ Header: { Name, TextTransformations: [{ Priority: 0, Type: 'LOWERCASE' }] } }],
    Limit: 10_000,
  });
  edge.hasResourceProperties('AWS::WAFv2::WebACL', {
    Scope: 'CLOUDFRONT',
    Rules: [
      { Name: 'requests-per-address', Priority: 0, ...rate({ AggregateKeyType: 'IP', Limit: 2000 }) },
      { Name: 'requests-per-authorization', Priority: 1, ...rate(keyedBy('authorization')) },
      { Name: 'requests-per-x-api-key', Priority: 2, ...rate(keyedBy('x-api-key')) },
    ].map((rule) => Match.objectLike(rule)),
  });
});
