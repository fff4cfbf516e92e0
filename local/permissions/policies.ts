/** One statement of an IAM policy, as CloudFormation writes it, with every reference resolved. */
export type PolicyStatement = {
  Sid?: string | undefined;
  Effect: 'Allow' | 'Deny';
  Action: string | string[];
  Resource: string | string[];
  Principal?: unknown;
  Condition?: Record<string, Record<string, string | string[]>> | undefined;
};

/** A statement with its position, by which its use is counted. */
export type LocatedStatement = {
  /** `<policy name>/<position>`: unique in the stage. */
  id: string;
  statement: PolicyStatement;
};

export type RolePlan = { name: string; arn: string; statements: LocatedStatement[] };

/** A policy of a bucket, a queue or a function. */
export type ResourcePolicyPlan = { resourceArn: string; statements: LocatedStatement[] };

/** All policies of the templates. */
export type PermissionsPlan = { roles: RolePlan[]; resourcePolicies: ResourcePolicyPlan[] };

/** A value of a policy that may be one string or a list of them. */
export function asList(value: string | readonly string[]): readonly string[] {
  return typeof value === 'string' ? [value] : value;
}
