import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import stages from '../../docs/examples/stages.json' with { type: 'json' };
import { synthesizedStage } from '../builders/template/synthesized-stage.ts';

const withOwnName = synthesizedStage({ settings: stages.production }).service;
const withoutEdge = synthesizedStage().service;
const plain = synthesizedStage({
  settings: { account: '123456789012', region: 'eu-central-1', edge: { requestsPerAddress: 1000 } },
}).service;

function publicUrlOf(template: Template, name: string): unknown {
  const found = template.findResources('AWS::Lambda::Function', {
    Properties: { FunctionName: `media-jobs-test-${name}` },
  });
  return Object.values(found)[0]?.Properties.Environment.Variables.PUBLIC_URL;
}

describe('the public URL', () => {
  it('is set for functions that return file URLs only', () => {
    const lambdas = Object.values(plain.findResources('AWS::Lambda::Function'));
    const knowing = lambdas.filter(({ Properties }) => Properties.Environment?.Variables.PUBLIC_URL !== undefined);
    expect(knowing.map(({ Properties }) => Properties.FunctionName).sort()).toEqual([
      'media-jobs-test-deliver-webhook',
      'media-jobs-test-get-thing',
    ]);
  });

  it.each(['get-thing', 'deliver-webhook'])("is the name of one's own where there is one: %s", (name) => {
    expect(publicUrlOf(withOwnName, name)).toBe('https://media.example.com');
  });

  it('is that of CloudFront without a custom domain', () => {
    const [distribution] = Object.keys(plain.findResources('AWS::CloudFront::Distribution'));
    expect(publicUrlOf(plain, 'get-thing')).toEqual({
      'Fn::Join': ['', ['https://', { 'Fn::GetAtt': [distribution, 'DomainName'] }]],
    });
  });

  it('is that of API Gateway without CloudFront', () => {
    const [api] = Object.keys(withoutEdge.findResources('AWS::ApiGatewayV2::Api'));
    expect(publicUrlOf(withoutEdge, 'get-thing')).toEqual({ 'Fn::GetAtt': [api, 'ApiEndpoint'] });
  });
});
