import * as z from 'zod';

const oneOrMany = z.union([z.string(), z.array(z.string()).min(1)]);

const policyStatement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: oneOrMany,
  Resource: oneOrMany,
  Principal: z.unknown().optional(),
  Condition: z.record(z.string(), z.record(z.string(), oneOrMany)).optional(),
});

/** One statement of an IAM policy, as CloudFormation writes it, with every reference resolved. */
export type PolicyStatement = z.infer<typeof policyStatement>;

/** An IAM policy of the elements that the local stage evaluates: it rejects others, such as `NotAction`. */
export const policyDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.union([policyStatement.transform((statement) => [statement]), z.array(policyStatement)]),
});

/** Whom a role trusts. It has no `Resource`: its role is the resource. */
export const trustDocument = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(policyStatement.omit({ Resource: true })),
});

export type TrustStatement = z.infer<typeof trustDocument>['Statement'][number];

/** A statement with its position, by which its use is counted. */
export type LocatedStatement = {
  /** `<policy name>/<position>`: unique in the stage. */
  id: string;
  statement: PolicyStatement;
};

export type RolePlan = { name: string; arn: string; statements: LocatedStatement[]; trust: TrustStatement[] };

/** A policy of a bucket, a queue or a function. */
export type ResourcePolicyPlan = { resourceArn: string; statements: LocatedStatement[] };

/** All policies of the templates. */
export type PermissionsPlan = { roles: RolePlan[]; resourcePolicies: ResourcePolicyPlan[] };

/** A value of a policy that may be one string or a list of them. */
export function asList(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
