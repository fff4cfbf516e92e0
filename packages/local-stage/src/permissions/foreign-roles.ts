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

/** `hasTags`: the session is to have tags, which the role has to allow too. */
type Assuming = { principalArn: string; externalId: string | undefined; hasTags: boolean };

/** A role, of another account or of the template, and whom it trusts. */
type TrustingRole = { roleArn: string; trust: readonly object[] };

/** Why a role does not trust a caller; undefined if it does. The caller's own permission is checked elsewhere. */
export function findTrustError(
  { roleArn, trust }: TrustingRole,
  { principalArn, externalId, hasTags }: Assuming,
): string | undefined {
  const actions = ['sts:AssumeRole', ...(hasTags ? ['sts:TagSession'] : [])];
  const context = {
    'aws:PrincipalArn': principalArn,
    ...(externalId === undefined ? {} : { 'sts:ExternalId': externalId }),
  };
  const identity = located({ Version: version, Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }] });
  const resource = located({
    Version: version,
    Statement: trust.map((statement) => ({ ...statement, Resource: '*' })),
  });
  const denied = actions.find(
    (action) => !isAllowed(principalArn, { action, resourceArn: roleArn, context }, { identity, resource }),
  );
  return denied && `its trust policy does not allow ${denied}`;
}

const version = '2012-10-17';

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
