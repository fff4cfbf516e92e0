import { describe, expect, it } from 'vitest';
import { exceededLimits, type Template } from '../../../scripts/templates/exceeded-limits.ts';

const named = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`Name${n}`, n]));
const topics = (count: number, properties: object = {}) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `Topic${n}`,
      { Type: 'AWS::SNS::Topic', Properties: { ...properties } },
    ]),
  );
const aTemplate = (sections: object): Template => ({ Resources: {}, ...sections });

/** As CDK writes a reference to a secret. */
const secret = {
  'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, ':SecretString:::}}']],
};
const secrets = (count: number) =>
  aTemplate({ Resources: topics(count / 2, { DisplayName: secret, TopicName: secret }) });

describe('the quotas of a template', () => {
  it.each([
    ['60 dynamic references', secrets(60), secrets(62), 'has 62 dynamic references, and AWS allows 60'],
    [
      '500 resources',
      aTemplate({ Resources: topics(500) }),
      aTemplate({ Resources: topics(501) }),
      'has 501 resources, and AWS allows 500',
    ],
    ...['Outputs', 'Parameters', 'Mappings'].map((section): [string, Template, Template, string] => [
      `200 ${section}`,
      aTemplate({ [section]: named(200) }),
      aTemplate({ [section]: named(201) }),
      `has 201 ${section.toLowerCase()}, and AWS allows 200`,
    ]),
    [
      '1024 bytes of description',
      aTemplate({ Description: 'x'.repeat(1024) }),
      aTemplate({ Description: `${'x'.repeat(1023)}é` }),
      'has 1025 bytes of description, and AWS allows 1024',
    ],
    [
      '1 MB',
      aTemplate({ Resources: topics(1, { DisplayName: 'x'.repeat(990_000) }) }),
      aTemplate({ Resources: topics(1, { DisplayName: 'x'.repeat(1_000_000) }) }),
      'bytes, and AWS allows 1000000',
    ],
  ])('%s', (_, largest, larger, message) => {
    expect(exceededLimits(largest)).toEqual([]);
    expect(exceededLimits(larger)).toEqual([expect.stringContaining(message)]);
  });
});

describe('the quotas of resources', () => {
  const functionWith = (Variables: object) =>
    aTemplate({
      Resources: { Worker: { Type: 'AWS::Lambda::Function', Properties: { Environment: { Variables } } } },
    });

  it('4 KB of environment in a function, as JSON, with up to 128 characters of each reference', () => {
    expect(exceededLimits(functionWith({ A: 'x'.repeat(4088) }))).toEqual([]);
    const message = 'The template has 4097 bytes of environment in Worker, and AWS allows 4096';
    expect(exceededLimits(functionWith({ A: 'x'.repeat(4089) }))).toEqual([message]);
    const reference = { 'Fn::GetAtt': ['Table', 'Arn'] };
    const list = { 'Fn::Join': [',', ['x'.repeat(3960), reference]] };
    expect(exceededLimits(functionWith({ A: list }))).toEqual([message]);
  });

  it('10,240 characters in all inline policies of a role', () => {
    const document = (Action: string) => ({ PolicyDocument: { Action } });
    const role = (characters: number) => ({
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [document('x'.repeat(characters))] },
    });
    const policy = {
      Type: 'AWS::IAM::Policy',
      Properties: { ...document('x'.repeat(5000)), Roles: [{ Ref: 'Role' }] },
    };
    const Resources = { Role: role(5000), Policy: policy };
    expect(exceededLimits(aTemplate({ Resources }))).toEqual([]);
    expect(exceededLimits(aTemplate({ Resources: { ...Resources, Role: role(5300) } }))).toEqual([
      'The template has 10326 characters of policies in Role, and AWS allows 10240',
    ]);
  });
});
