import { describe, expect, it } from 'vitest';
import { requestContext } from '../../../src/permissions/iam/context.ts';
import { evaluate } from '../../../src/permissions/iam/evaluate.ts';
import type { PolicyStatement } from '../../../src/permissions/iam/policies.ts';

const role = 'arn:aws:iam::111111111111:role/worker';
const foreignRole = 'arn:aws:iam::222222222222:role/worker';
const object = 'arn:aws:s3:::media/jobs/1/a.mp4';
const key = 'arn:aws:kms:us-east-1:111111111111:key/k';

type Case = {
  caller?: string;
  action?: string;
  resourceArn?: string;
  values?: Record<string, string | string[]>;
  identity?: PolicyStatement[];
  resource?: PolicyStatement[];
  session?: PolicyStatement[];
};

function result({ values = {}, identity = [], resource, session, ...request }: Case): string {
  const located = (statements: PolicyStatement[]) =>
    statements.map((statement, position) => ({ id: String(position), statement }));
  return evaluate(
    {
      caller: role,
      action: 's3:GetObject',
      resourceArn: object,
      resourceAccount: '111111111111',
      context: requestContext(values),
      ...request,
    },
    {
      identity: located(identity),
      resource: resource && located(resource),
      session: session && located(session),
    },
  ).result;
}

const allow = (rest: Partial<PolicyStatement> = {}): PolicyStatement => ({
  Effect: 'Allow',
  Action: '*',
  Resource: '*',
  ...rest,
});
const deny = (rest: Partial<PolicyStatement> = {}) => allow({ Effect: 'Deny', ...rest });
/** Whether a condition holds in a request with these values. */
const meets = (operator: string, operands: string | string[], value?: string | string[]) =>
  result({
    identity: [allow({ Condition: { [operator]: { k: operands } } })],
    values: value === undefined ? {} : { k: value },
  }) === 'allowed';

describe('policies of one account', () => {
  const ofResource = (Principal: unknown) => ({ resource: [allow({ Principal })] });

  it.each([
    ['no policy', {}, 'implicitly denied'],
    ['the policy of the caller', { identity: [allow()] }, 'allowed'],
    ['the policy of the resource, which names the caller', ofResource({ AWS: role }), 'allowed'],
    ['the policy of the resource, which names everybody', ofResource('*'), 'allowed'],
    ['the policy of the resource, which names another role', ofResource({ AWS: `${role}2` }), 'implicitly denied'],
    ['the account of the caller', ofResource({ AWS: '111111111111' }), 'implicitly denied'],
    ['a deny beside an allow', { identity: [allow(), deny()] }, 'explicitly denied'],
    ['a deny of the resource', { identity: [allow()], resource: [deny({ Principal: '*' })] }, 'explicitly denied'],
    ['a deny of the session', { identity: [allow()], session: [allow(), deny()] }, 'explicitly denied'],
    [
      'a session that allows less',
      { identity: [allow()], session: [allow({ Action: 's3:PutObject' })] },
      'implicitly denied',
    ],
    [
      'a session that allows more',
      { identity: [allow({ Action: 's3:PutObject' })], session: [allow()] },
      'implicitly denied',
    ],
  ])('decide with %s', (_, request: Case, expected) => {
    expect(result(request)).toBe(expected);
  });

  it('take the session of a role as the role', () => {
    const caller = 'arn:aws:sts::111111111111:assumed-role/worker/s1';
    expect(result({ caller, ...ofResource({ AWS: role }) })).toBe('allowed');
    expect(result({ caller: caller.replace('worker', 'other'), ...ofResource({ AWS: role }) })).toBe(
      'implicitly denied',
    );
  });

  it('allow a KMS key only to those whom its own policy names', () => {
    const use = { action: 'kms:Decrypt', resourceArn: key, identity: [allow()] };
    const named = (AWS: string) => result({ ...use, resource: [allow({ Principal: { AWS } })] });
    expect(named('arn:aws:iam::111111111111:root')).toBe('allowed');
    expect(named(`${role}2`)).toBe('implicitly denied');
  });
});

describe('other callers', () => {
  it('of another account need both policies', () => {
    const resource = [allow({ Principal: { AWS: '222222222222' } })];
    expect(result({ caller: foreignRole, identity: [allow()], resource })).toBe('allowed');
    expect(result({ caller: foreignRole, identity: [allow()] })).toBe('implicitly denied');
    expect(result({ caller: foreignRole, resource })).toBe('implicitly denied');
  });

  it('that are services need the policy of the resource', () => {
    const caller = 'events.amazonaws.com';
    const resource = [allow({ Principal: { Service: caller } })];
    expect(result({ caller, resource })).toBe('allowed');
    expect(result({ caller: 'lambda.amazonaws.com', resource })).toBe('implicitly denied');
    expect(result({ caller, identity: [allow()] })).toBe('implicitly denied');
  });
});

describe('patterns', () => {
  const matches = (Resource: string, resourceArn: string, values = {}) =>
    result({ identity: [allow({ Resource })], resourceArn, values }) === 'allowed';
  const table = 'arn:aws:dynamodb:us-east-1:111111111111:table/jobs';

  it.each([
    ['arn:aws:s3:::media/jobs/*', object, true],
    ['arn:aws:s3:::media/*.mp4', object, true],
    ['arn:aws:s3:::media/jobs/?/a.mp4', object, true],
    ['arn:aws:s3:::media/jobs/??/a.mp4', object, false],
    ['arn:aws:s3:::media/jobs', object, false],
    ['arn:aws:dynamodb:*:111111111111:table/jobs', table, true],
    ['arn:aws:dynamodb:us*1:table/jobs', table, false],
    ['arn:aws:dynamodb', table, true],
    ['arn:aws:s3', table, false],
    ['arn:aws:dynamodb:*', table, true],
    ['arn:aws:s3:::media/jobs.1/a.mp4', 'arn:aws:s3:::media/jobsx1/a.mp4', false],
  ])('%s of %s', (pattern, arn, expected) => {
    expect(matches(pattern, arn)).toBe(expected);
  });

  it('of actions ignore case', () => {
    expect(result({ identity: [allow({ Action: 'S3:get*' })] })).toBe('allowed');
    expect(result({ identity: [allow({ Action: 's3:get' })] })).toBe('implicitly denied');
  });

  it('have the tags of the session, in which a wildcard is a character', () => {
    const own = 'arn:aws:s3:::media/${aws:PrincipalTag/owner}/*';
    expect(matches(own, object, { 'aws:PrincipalTag/owner': 'jobs' })).toBe(true);
    expect(matches(own, object, { 'aws:PrincipalTag/owner': 'other' })).toBe(false);
    expect(matches(own, object, { 'aws:PrincipalTag/owner': '*' })).toBe(false);
    expect(matches(own, object)).toBe(false);
    expect(matches("arn:aws:s3:::media/${aws:PrincipalTag/owner, 'jobs'}/*", object)).toBe(true);
    expect(matches('arn:aws:s3:::media/${*}', object)).toBe(false);
  });
});

describe('conditions', () => {
  it.each<[string, string | string[], string | string[] | undefined, boolean]>([
    ['StringEquals', ['a', 'b'], 'b', true],
    ['StringEquals', 'a', 'A', false],
    ['StringEquals', 'a*', 'ab', false],
    ['StringEquals', 'a', undefined, false],
    ['StringEqualsIgnoreCase', 'a', 'A', true],
    ['StringNotEquals', ['a', 'b'], 'b', false],
    ['StringNotEquals', 'a', undefined, true],
    ['StringLike', 'a*', 'ab', true],
    ['StringNotLike', 'a*', 'ab', false],
    ['StringEqualsIfExists', 'a', undefined, true],
    ['StringEqualsIfExists', 'a', 'b', false],
    ['ForAllValues:StringLike', 'OWNER#*', ['OWNER#1', 'OWNER#2'], true],
    ['ForAllValues:StringLike', 'OWNER#*', ['OWNER#1', 'KEY#1'], false],
    ['ForAllValues:StringLike', 'OWNER#*', undefined, true],
    ['ForAnyValue:StringEquals', 'a', ['a', 'b'], true],
    ['ForAnyValue:StringEquals', 'a', undefined, false],
    ['ArnLike', 'arn:aws:s3:::med*', 'arn:aws:s3:::media', true],
    ['ArnEquals', 'arn:aws:sns:*:1:t', 'arn:aws:sns:eu:1:t', true],
    ['ArnNotLike', 'arn:aws:s3:::med*', 'arn:aws:s3:::media', false],
    ['Bool', 'true', 'TRUE', true],
    ['Null', 'true', undefined, true],
    ['Null', 'false', undefined, false],
    ['NumericLessThanEquals', '10', '10', true],
    ['NumericGreaterThan', '10', '10', false],
    ['NumericNotEquals', '10', '11', true],
    ['DateLessThan', '2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z', true],
    ['DateGreaterThan', '1767225600', '2026-01-01T00:00:01Z', true],
  ])('%s %j of %j', (operator, operands, value, expected) => {
    expect(meets(operator, operands, value)).toBe(expected);
  });

  it('hold all at once, and find keys in any case', () => {
    const both = { StringEquals: { 'aws:A': 'a' }, StringLike: { 'aws:B': 'b*' } };
    const identity = [allow({ Condition: both })];
    expect(result({ identity, values: { 'AWS:a': 'a', 'aws:B': 'bb' } })).toBe('allowed');
    expect(result({ identity, values: { 'aws:A': 'a', 'aws:B': 'c' } })).toBe('implicitly denied');
  });

  it('fail by name where their operator is unknown', () => {
    expect(() => meets('IpAddress', '10.0.0.0/8', '10.0.0.1')).toThrow('IpAddress is not supported');
  });
});
