import type { Random } from '@media-jobs/testing/random';
import { requestContext } from '../../../src/permissions/iam/context.ts';
import type { IamRequest } from '../../../src/permissions/iam/evaluate.ts';
import type { PolicyStatement } from '../../../src/permissions/iam/policies.ts';

/** A request and the policies that it meets. `values` are those of `request.context`. */
export type RandomCase = {
  request: IamRequest;
  values: Readonly<Record<string, string | string[]>>;
  identity: PolicyStatement[];
  resource: PolicyStatement[] | undefined;
};

type Texts = readonly [string, ...string[]];
/** Actions, the resources that they have, and the condition key that their requests have. */
type Kind = { actions: Texts; arns: Texts; key: string; operands: Texts };

type Principal = '*' | Readonly<Record<string, string | readonly string[]>>;
type Conditions = NonNullable<PolicyStatement['Condition']>;

const account = '111111111111';
const callers: Texts = [
  'arn:aws:iam::111111111111:role/worker',
  'arn:aws:sts::111111111111:assumed-role/worker/s1',
  'arn:aws:iam::222222222222:role/worker',
  'arn:aws:sts::222222222222:assumed-role/worker/s1',
  'events.amazonaws.com',
];

const kinds: readonly [Kind, ...Kind[]] = [
  {
    actions: ['s3:ListBucket'],
    arns: ['arn:aws:s3:::media', 'arn:aws:s3:::work'],
    key: 's3:prefix',
    operands: ['jobs/1/', 'jobs/2/', 'uploads/'],
  },
  {
    actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
    arns: ['arn:aws:s3:::media/jobs/1/a.mp4', 'arn:aws:s3:::media/uploads/b', 'arn:aws:s3:::work/jobs/1'],
    key: 'aws:PrincipalTag/owner',
    operands: ['jobs', 'uploads', 'a*'],
  },
  {
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
    arns: [`arn:aws:dynamodb:us-east-1:${account}:table/jobs`, `arn:aws:dynamodb:us-east-1:${account}:table/keys`],
    key: 'dynamodb:LeadingKeys',
    operands: ['OWNER#1', 'OWNER#2', 'KEYHASH#1'],
  },
  {
    actions: ['sqs:SendMessage', 'sqs:ReceiveMessage'],
    arns: [`arn:aws:sqs:us-east-1:${account}:jobs`, `arn:aws:sqs:us-east-1:${account}:webhooks`],
    key: 'aws:SourceArn',
    operands: [`arn:aws:events:us-east-1:${account}:rule/a`, 'arn:aws:s3:::media'],
  },
];

const principals: readonly [Principal, ...Principal[]] = [
  '*',
  { AWS: '*' },
  { AWS: account },
  { AWS: `arn:aws:iam::${account}:root` },
  { AWS: ['arn:aws:iam::222222222222:root', `arn:aws:iam::${account}:role/other`] },
  { AWS: 'arn:aws:iam::222222222222:role/worker' },
  { AWS: `arn:aws:sts::${account}:assumed-role/worker/s1` },
  { Service: 'events.amazonaws.com' },
];

/** A request against up to three statements of each policy, which name it or something near it. */
export function randomCase(random: Random): RandomCase {
  const kind = random.pick(kinds);
  const values = { ...randomValues(random, kind), 'aws:SecureTransport': String(random.chance(0.9)) };
  const request = {
    caller: random.pick(callers),
    action: random.pick(kind.actions),
    resourceArn: random.pick(kind.arns),
    resourceAccount: account,
    context: requestContext(values),
  };
  return {
    request,
    values,
    identity: statements(random, kind, 0),
    resource: random.chance(0.5)
      ? statements(random, kind, 1).map((statement) => ({ ...statement, Principal: random.pick(principals) }))
      : undefined,
  };
}

function randomValues(random: Random, { key, operands }: Kind): Record<string, string | string[]> {
  if (random.chance(0.2)) return {};
  const value = random.pick(operands);
  return { [key]: key === 'dynamodb:LeadingKeys' ? [value, random.pick(operands)] : value };
}

function statements(random: Random, kind: Kind, min: number): PolicyStatement[] {
  return Array.from({ length: random.between(min, 3) }, () => ({
    Effect: random.chance(0.2) ? 'Deny' : 'Allow',
    Action: random.chance(0.5) ? pattern(random, random.pick(kind.actions)) : [...kind.actions],
    Resource: random.chance(0.5) ? pattern(random, resource(random, kind)) : [...kind.arns],
    ...(random.chance(0.5) ? { Condition: condition(random, kind) } : {}),
  }));
}

/** An ARN, or one in which a policy variable stands for a part. */
function resource(random: Random, { arns, key }: Kind): string {
  const arn = random.pick(arns);
  return random.chance(0.1) && key.startsWith('aws:PrincipalTag') ? arn.replace('jobs', `\${${key}}`) : arn;
}

/**
 * The text, often with `*` for a part or `?` for a character. Services and variables stay as they are, and the type of
 * a resource (`table/`), in which IAM allows no wildcard.
 */
function pattern(random: Random, text: string): string {
  const from = Math.max(text.lastIndexOf(':'), text.indexOf('/')) + 1;
  if (random.chance(0.3) || text.includes('$')) return text;
  if (random.chance(0.1)) return '*';
  const start = random.between(from, text.length - 1);
  if (random.chance(0.2)) return `${text.slice(0, start)}?${text.slice(start + 1)}`;
  return `${text.slice(0, start)}*${text.slice(random.between(start, text.length))}`;
}

function condition(random: Random, { key, operands }: Kind): Conditions {
  const operand = () => random.pick(operands);
  const isArn = key === 'aws:SourceArn';
  const comparison = isArn ? (['ArnLike', 'ArnEquals', 'ArnNotLike'] as const) : stringOperators;
  const isList = key === 'dynamodb:LeadingKeys';
  const quantifier = isList ? random.pick(['ForAllValues:', 'ForAnyValue:']) : '';
  // Where a key is missing, the documentation of ForAnyValue and that of IfExists contradict each other.
  const mayBeMissing = quantifier !== 'ForAnyValue:' && random.chance(0.2);
  const name = `${quantifier}${random.pick(comparison)}${mayBeMissing ? 'IfExists' : ''}`;
  const [first, second] = [operand(), operand()];
  return random.pick<Conditions>([
    { [name]: { [key]: [isArn ? first : pattern(random, first), second] } },
    { [name]: { [key]: first } },
    { Null: { [key]: String(random.chance(0.5)) } },
    { Bool: { 'aws:SecureTransport': String(random.chance(0.5)) } },
  ]);
}

const stringOperators = [
  'StringEquals',
  'StringNotEquals',
  'StringEqualsIgnoreCase',
  'StringLike',
  'StringNotLike',
] as const;
