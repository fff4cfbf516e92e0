import { tlsContext } from './access-control.ts';
import type { AccessRequest } from './access-request.ts';
import { requestContext } from './iam/context.ts';
import { evaluate, type Policies } from './iam/evaluate.ts';
import { type LocatedStatement, policyDocument } from './iam/policies.ts';
import { accountOf } from './iam/principals.ts';
import type { RoleCredentials } from './role-credentials.ts';

type PolicyDocument = { Version: string; Statement: readonly object[] };

/** A role of another account: whom it trusts, and what it may do. */
export type ForeignRole = { roleArn: string; trustPolicy: PolicyDocument; policy: PolicyDocument };

/** A session of such a role. A request needs the permission of the role's policy, and of the session's if it has one. */
export type ForeignSession = {
  principal: string;
  credentials: RoleCredentials;
  expiration: Date;
  policy: PolicyDocument;
  sessionPolicy: PolicyDocument | undefined;
};

type Assuming = { principalArn: string; externalId: string | undefined };

/** Why a role does not trust a caller; undefined if it does. The caller's own permission is checked elsewhere. */
export function findTrustError(
  { roleArn, trustPolicy }: ForeignRole,
  { principalArn, externalId }: Assuming,
): string | undefined {
  const request = {
    action: 'sts:AssumeRole',
    resourceArn: roleArn,
    context: {
      'aws:PrincipalArn': principalArn,
      ...(externalId === undefined ? {} : { 'sts:ExternalId': externalId }),
    },
  };
  const mayAssume = { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' };
  const identity = located({ ...trustPolicy, Statement: [mayAssume] });
  // A trust policy has no `Resource`: its role is the resource.
  const trust = trustPolicy.Statement.map((statement) => ({ ...statement, Resource: '*' }));
  const resource = located({ ...trustPolicy, Statement: trust });
  return isAllowed(principalArn, request, { identity, resource }) ? undefined : 'its trust policy does not allow it';
}

/** Whether the policies of a session allow a request. */
export function sessionMay(session: ForeignSession, request: AccessRequest): boolean {
  return isAllowed(session.principal, request, {
    identity: located(session.policy),
    session: session.sessionPolicy && located(session.sessionPolicy),
  });
}

function isAllowed(caller: string, { action, resourceArn, context = {} }: AccessRequest, policies: Policies): boolean {
  // Buckets have no account in their ARN: a session uses those of its own.
  const resourceAccount = accountOf(resourceArn) || accountOf(caller);
  const request = {
    caller,
    action,
    resourceArn,
    resourceAccount,
    context: requestContext({ ...tlsContext, ...context }),
  };
  return evaluate(request, policies).result === 'allowed';
}

function located(document: PolicyDocument): LocatedStatement[] {
  const { Statement } = policyDocument.parse(document);
  return Statement.map((statement, position) => ({ id: String(position), statement }));
}
