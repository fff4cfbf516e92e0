import { runSimulation } from '@cloud-copilot/iam-simulate';
import type { AccessRequest } from './access-request.ts';
import type { RoleCredentials } from './role-credentials.ts';

type PolicyDocument = { Version: string; Statement: unknown };

/** A role of another account: whom it trusts, and what it may do. */
export type ForeignRole = { roleArn: string; trustPolicy: PolicyDocument; policy: PolicyDocument };

/** A session of such a role. A request needs the permission of every policy. */
export type ForeignSession = {
  principal: string;
  credentials: RoleCredentials;
  expiration: Date;
  policies: readonly PolicyDocument[];
};

type Assuming = { principalArn: string; externalId: string | undefined };

/** Why a role does not trust a caller; undefined if it does. The caller's own permission is checked elsewhere. */
export async function findTrustError(
  { roleArn, trustPolicy }: ForeignRole,
  { principalArn, externalId }: Assuming,
): Promise<string | undefined> {
  const allowed = await isAllowed({
    principal: principalArn,
    request: {
      action: 'sts:AssumeRole',
      resourceArn: roleArn,
      context: {
        'aws:PrincipalArn': principalArn,
        ...(externalId === undefined ? {} : { 'sts:ExternalId': externalId }),
      },
    },
    identityPolicy: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: '*' }],
    },
    resourcePolicy: trustPolicy,
  });
  return allowed ? undefined : 'its trust policy does not allow it';
}

/** Whether every policy of a session allows a request. */
export async function sessionMay(session: ForeignSession, request: AccessRequest): Promise<boolean> {
  const allowed = await Promise.all(
    session.policies.map((identityPolicy) =>
      isAllowed({ principal: session.principal, request, identityPolicy }),
    ),
  );
  return allowed.every(Boolean);
}

type Simulated = {
  principal: string;
  request: AccessRequest;
  identityPolicy: PolicyDocument;
  resourcePolicy?: PolicyDocument;
};

async function isAllowed({
  principal,
  request,
  identityPolicy,
  resourcePolicy,
}: Simulated): Promise<boolean> {
  const { action, resourceArn, context = {} } = request;
  const result = await runSimulation(
    {
      request: {
        principal,
        action,
        // Buckets have no account in their ARN: a session uses those of its own.
        resource: { resource: resourceArn, accountId: accountOf(resourceArn) || accountOf(principal) },
        contextVariables: { 'aws:SecureTransport': 'true', ...context },
      },
      identityPolicies: [{ name: 'identity', policy: identityPolicy }],
      resourcePolicy,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  return result.resultType === 'single' && result.overallResult === 'Allowed';
}

function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}
