import { describe, expect, it } from 'vitest';
import { accessControl } from '../../src/permissions/access-control.ts';
import type { AccessRequest } from '../../src/permissions/access-request.ts';
import type { PolicyStatement } from '../../src/permissions/iam/policies.ts';

const roleArn = 'arn:aws:iam::000000000000:role/worker';
const tableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/jobs';
const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:create-job';

type Policies = { role?: PolicyStatement[]; bucket?: PolicyStatement[]; lambda?: PolicyStatement[] };

const located = (policy: string, statements: PolicyStatement[]) =>
  statements.map((statement, position) => ({ id: `${policy}/${position}`, statement }));

function aControl({ role = [], bucket = [], lambda = [] }: Policies) {
  return accessControl({
    roles: [{ name: 'worker', arn: roleArn, trust: [], statements: located('worker', role) }],
    resourcePolicies: [
      { resourceArn: 'arn:aws:s3:::media', statements: located('bucket', bucket) },
      { resourceArn: functionArn, statements: located('function', lambda) },
    ],
  });
}

const allow = (
  Action: string,
  Resource: string | string[],
  Condition?: NonNullable<PolicyStatement['Condition']>,
): PolicyStatement => ({ Effect: 'Allow', Action, Resource, ...(Condition ? { Condition } : {}) });

async function isAllowed(policies: Policies, request: AccessRequest): Promise<boolean> {
  return (await aControl(policies).check({ roleArn }, [request])) === undefined;
}

describe('a role', () => {
  it('may do what a statement allows, on the resource that it names', async () => {
    const role = [allow('s3:GetObject', 'arn:aws:s3:::media/jobs/*')];
    const read = (key: string) =>
      isAllowed({ role }, { action: 's3:GetObject', resourceArn: `arn:aws:s3:::media/${key}` });
    expect(await read('jobs/1/output.mp4')).toBe(true);
    expect(await read('uploads/1')).toBe(false);
    expect(await isAllowed({ role }, { action: 's3:PutObject', resourceArn: 'arn:aws:s3:::media/jobs/1' })).toBe(false);
  });

  it('may read a table but not its index, where the index is not named', async () => {
    const role = [allow('dynamodb:Query', tableArn)];
    const query = (resourceArn: string) => isAllowed({ role }, { action: 'dynamodb:Query', resourceArn });
    expect(await query(tableArn)).toBe(true);
    expect(await query(`${tableArn}/index/due`)).toBe(false);
  });

  it('is bound by the condition keys of a statement', async () => {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['OWNER#*'] } };
    const control = aControl({ role: [allow('dynamodb:GetItem', tableArn, condition)] });
    const get = (key: string) => ({
      action: 'dynamodb:GetItem',
      resourceArn: tableArn,
      context: { 'dynamodb:LeadingKeys': [key] },
    });
    expect(await control.check({ roleArn }, [get('OWNER#1')])).toBeUndefined();
    expect(await control.check({ roleArn }, [get('KEYHASH#1')])).toBeDefined();
    expect(await control.check({ roleArn }, [get('OWNER#2')])).toBeUndefined();
  });

  it('is bound by them for each action that a wildcard stands for', async () => {
    const condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['OWNER#*'] } };
    const control = aControl({ role: [allow('dynamodb:*item', tableArn, condition)] });
    const request = (action: string, key: string) => ({
      action,
      resourceArn: tableArn,
      context: { 'dynamodb:LeadingKeys': [key] },
    });
    for (const action of ['dynamodb:GetItem', 'dynamodb:PutItem']) {
      expect(await control.check({ roleArn }, [request(action, 'OWNER#1')])).toBeUndefined();
      expect(await control.check({ roleArn }, [request(action, 'KEYHASH#1')])).toBeDefined();
    }
    const [statement] = control.report().statements;
    expect(statement?.actions).toEqual({ 'dynamodb:*item': 2 });
  });

  it('is denied by an explicit deny of the bucket, whatever its own policy allows', async () => {
    const bucket: PolicyStatement[] = [
      { Effect: 'Deny', Principal: { AWS: '*' }, Action: 's3:GetObject', Resource: 'arn:aws:s3:::media/secret/*' },
    ];
    const control = aControl({ role: [allow('s3:GetObject', 'arn:aws:s3:::media/*')], bucket });
    const get = (key: string) => ({ action: 's3:GetObject', resourceArn: `arn:aws:s3:::media/${key}` });
    expect(await control.check({ roleArn }, [get('open/1')])).toBeUndefined();
    expect((await control.check({ roleArn }, [get('secret/1')]))?.message).toContain('explicit deny');
  });

  it('passes a bucket policy that denies connections without TLS', async () => {
    const bucket: PolicyStatement[] = [
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Resource: ['arn:aws:s3:::media', 'arn:aws:s3:::media/*'],
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ];
    const role = [allow('s3:GetObject', 'arn:aws:s3:::media/*')];
    expect(await isAllowed({ role, bucket }, { action: 's3:GetObject', resourceArn: 'arn:aws:s3:::media/1' })).toBe(
      true,
    );
  });

  it('needs every action of a request that has several', async () => {
    const control = aControl({ role: [allow('s3:GetObject', 'arn:aws:s3:::media/work/*')] });
    const denial = await control.check({ roleArn }, [
      { action: 's3:GetObject', resourceArn: 'arn:aws:s3:::media/work/1' },
      { action: 's3:PutObject', resourceArn: 'arn:aws:s3:::media/jobs/1' },
    ]);
    expect(denial).toMatchObject({ action: 's3:PutObject', resourceArn: 'arn:aws:s3:::media/jobs/1' });
  });
});

describe('a service of AWS', () => {
  const lambda = [
    {
      Effect: 'Allow',
      Principal: { Service: 'apigateway.amazonaws.com' },
      Action: 'lambda:InvokeFunction',
      Resource: functionArn,
      Condition: { ArnLike: { 'aws:SourceArn': 'arn:aws:execute-api:us-east-1:000000000000:api/*/*/api/v1/jobs' } },
    } satisfies PolicyStatement,
  ];
  const invoke = (route: string) => ({
    action: 'lambda:InvokeFunction',
    resourceArn: functionArn,
    context: { 'aws:SourceArn': `arn:aws:execute-api:us-east-1:000000000000:api/$default/${route}` },
  });

  it('invokes a function only for the route that the permission names', async () => {
    const control = aControl({ lambda });
    const service = 'apigateway.amazonaws.com';
    expect(await control.check({ service }, [invoke('POST/api/v1/jobs')])).toBeUndefined();
    expect(await control.check({ service }, [invoke('POST/api/v1/keys')])).toBeDefined();
  });

  it('invokes no function that another service may invoke', async () => {
    const control = aControl({ lambda });
    expect(await control.check({ service: 'events.amazonaws.com' }, [invoke('POST/api/v1/jobs')])).toBeDefined();
  });
});

it('a denial names the principal, the action, the resource and the reason', async () => {
  const denial = await aControl({}).check({ roleArn }, [{ action: 'dynamodb:PutItem', resourceArn: tableArn }]);
  expect(denial?.message).toBe(
    `User: ${roleArn} is not authorized to perform: dynamodb:PutItem on resource: ${tableArn} ` +
      'because no identity-based policy allows the dynamodb:PutItem action',
  );
});

it('requests that differ only within a pattern are evaluated once, and each is counted', async () => {
  const control = aControl({ role: [allow('s3:GetObject', 'arn:aws:s3:::media/jobs/*')] });
  for (const key of ['jobs/1', 'jobs/2', 'jobs/3', 'uploads/1']) {
    const request = { action: 's3:GetObject', resourceArn: `arn:aws:s3:::media/${key}` };
    await control.check({ roleArn }, [request]);
  }
  expect(control.counts()).toEqual({ checks: 4, evaluations: 2 });
});

it('the report counts what each statement allowed, by action, and names what was denied once', async () => {
  const control = aControl({ role: [allow('dynamodb:GetItem', tableArn), allow('dynamodb:PutItem', tableArn)] });
  const get = { action: 'dynamodb:GetItem', resourceArn: tableArn };
  const remove = { action: 'dynamodb:DeleteItem', resourceArn: tableArn };
  for (const request of [get, get, remove, remove]) await control.check({ roleArn }, [request]);
  const { statements, denied } = control.report();
  expect(statements.map(({ id, actions }) => [id, actions])).toEqual([
    ['worker/0', { 'dynamodb:GetItem': 2 }],
    ['worker/1', { 'dynamodb:PutItem': 0 }],
  ]);
  expect(denied).toEqual([{ principal: roleArn, ...remove }]);
});

it('a condition key that the stage cannot supply stops it, naming the statement and the key', () => {
  const role = [allow('s3:GetObject', '*', { IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } })];
  expect(() => aControl({ role })).toThrow(/worker\/0 has the condition key aws:SourceIp/);
});
