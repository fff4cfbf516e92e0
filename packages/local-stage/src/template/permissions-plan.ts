import { arn, functionNameOf } from '../aws-names.ts';
import type {
  LocatedStatement,
  PermissionsPlan,
  PolicyStatement,
  ResourcePolicyPlan,
} from '../permissions/iam/policies.ts';
import type { Found } from './find-resources.ts';
import { key } from './resources/key.ts';
import {
  bucketPolicy,
  functionPermission,
  managedPolicy,
  queuePolicy,
  role,
  rolePolicy,
} from './resources/permissions.ts';

/** Reads the roles of every stack with their policies, and the policies of buckets, queues and functions. */
export function permissionsPlan(found: Found): PermissionsPlan {
  const attached = [...found.all(rolePolicy), ...found.all(managedPolicy)];
  const roles = found.all(role).map(({ properties, ref, attribute }) => ({
    name: ref,
    arn: attribute('Arn'),
    trust: properties.AssumeRolePolicyDocument?.Statement ?? [],
    statements: [
      ...properties.Policies.flatMap(({ PolicyName, PolicyDocument }) =>
        located(`${ref}/${PolicyName}`, PolicyDocument.Statement),
      ),
      ...attached
        .filter(({ properties: { Roles } }) => Roles.includes(ref))
        .flatMap(({ logicalId, properties: { PolicyDocument } }) => located(logicalId, PolicyDocument.Statement)),
    ],
  }));
  return { roles, resourcePolicies: [...storagePolicies(found), ...functionPolicies(found)] };
}

function storagePolicies(found: Found): ResourcePolicyPlan[] {
  const buckets = found.all(bucketPolicy).map(({ logicalId, properties }) => ({
    resourceArn: `arn:aws:s3:::${properties.Bucket}`,
    statements: located(logicalId, properties.PolicyDocument.Statement),
  }));
  const queues = found.all(queuePolicy).flatMap(({ logicalId, properties }) =>
    properties.Queues.map((url) => ({
      resourceArn: arn('sqs', url.split('/').at(-1) ?? ''),
      statements: located(logicalId, properties.PolicyDocument.Statement),
    })),
  );
  const keys = found.all(key).map(({ logicalId, properties, attribute }) => ({
    resourceArn: attribute('Arn'),
    statements: located(logicalId, properties.KeyPolicy.Statement),
  }));
  return [...buckets, ...queues, ...keys];
}

/** A `Lambda::Permission` is one statement of the policy of its function (Lambda API Reference, AddPermission). */
function functionPolicies(found: Found): ResourcePolicyPlan[] {
  const byFunction = new Map<string, LocatedStatement[]>();
  for (const { logicalId, properties } of found.all(functionPermission)) {
    const { Action, FunctionName, Principal, SourceArn } = properties;
    const resourceArn = arn('lambda', `function:${functionNameOf(FunctionName)}`);
    const statement: PolicyStatement = {
      Effect: 'Allow',
      Action,
      Resource: resourceArn,
      Principal: { Service: Principal },
      ...(SourceArn === undefined ? {} : { Condition: { ArnLike: { 'aws:SourceArn': SourceArn } } }),
    };
    byFunction.set(resourceArn, [...(byFunction.get(resourceArn) ?? []), { id: logicalId, statement }]);
  }
  return [...byFunction].map(([resourceArn, statements]) => ({ resourceArn, statements }));
}

function located(policy: string, statements: readonly PolicyStatement[]): LocatedStatement[] {
  return statements.map((statement, position) => ({ id: `${policy}/${position}`, statement }));
}
