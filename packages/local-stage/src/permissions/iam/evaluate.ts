import { conditionsOf, holds } from './conditions.ts';
import type { Context } from './context.ts';
import { asList, type LocatedStatement, type PolicyStatement } from './policies.ts';
import { accountOf, type Naming, namedBy } from './principals.ts';
import { actionPattern, arnPattern, replaceVariables } from './wildcards.ts';

export type IamRequest = {
  /** The ARN of a role or of a session, or a service such as `events.amazonaws.com`. */
  caller: string;
  action: string;
  resourceArn: string;
  /** The account that has the resource: the ARN of a bucket does not say. */
  resourceAccount: string;
  context: Context;
};

/** The policies that a request meets. */
export type Policies = {
  /** Of the caller. */
  identity: readonly LocatedStatement[];
  /** Of the resource, if it has one. */
  resource?: readonly LocatedStatement[] | undefined;
  /** Of the session, if it has one. */
  session?: readonly LocatedStatement[] | undefined;
};

export type Evaluation = {
  result: 'allowed' | 'explicitly denied' | 'implicitly denied';
  /** Ids of the statements of `identity` and `resource` that allow the request. */
  allowedBy: string[];
};

/**
 * Evaluates a request (IAM User Guide, "Policy evaluation logic"). An explicit deny of any policy denies. Within an
 * account the policy of the caller or of the resource must allow, across accounts both, and always that of the session.
 */
export function evaluate(request: IamRequest, { identity, resource, session }: Policies): Evaluation {
  const applying = (statements: readonly LocatedStatement[] = []) =>
    statements.filter(({ statement }) => applies(statement, request));
  const named = (naming: Naming) =>
    applying(resource).filter(({ statement }) => namedBy(statement.Principal, request.caller) === naming);
  const [byIdentity, byResource, byAccount] = [applying(identity), named('caller'), named('account')];
  const all = [...byIdentity, ...byResource, ...byAccount];
  const ofSession = applying(session);
  if ([...all, ...ofSession].some(isDeny)) return { result: 'explicitly denied', allowedBy: [] };
  const isAllowed =
    (session === undefined || ofSession.length > 0) &&
    suffices(request, {
      hasResourcePolicy: resource !== undefined,
      identity: byIdentity.length > 0,
      caller: byResource.length > 0,
      account: byAccount.length > 0,
    });
  return isAllowed
    ? { result: 'allowed', allowedBy: all.map(({ id }) => id) }
    : { result: 'implicitly denied', allowedBy: [] };
}

/** What allows a request: the caller's policy, or that of the resource, which names the caller or its account. */
type Allowing = { hasResourcePolicy: boolean; identity: boolean; caller: boolean; account: boolean };

function suffices({ caller, action, resourceAccount }: IamRequest, allowing: Allowing): boolean {
  const callerAccount = accountOf(caller);
  const isService = callerAccount === '';
  if (isService) return allowing.caller;
  if (callerAccount !== resourceAccount) return allowing.identity && (allowing.caller || allowing.account);
  // A key or a role is used by nobody whom its own policy does not name (KMS Developer Guide, "Key policies in KMS"; IAM
  // User Guide, "Role trust policies"): for an account, the caller's policy decides.
  const isOwnPolicyNeeded = /^(kms:|sts:(AssumeRole|TagSession)$)/.test(action) && allowing.hasResourcePolicy;
  return allowing.caller || (allowing.identity && (allowing.account || !isOwnPolicyNeeded));
}

function isDeny({ statement }: LocatedStatement): boolean {
  return statement.Effect === 'Deny';
}

/** Whether action, resource and conditions of a statement are those of the request. */
function applies(statement: PolicyStatement, { action, resourceArn, context }: IamRequest): boolean {
  const isOfResource = (pattern: string) => {
    const text = replaceVariables(pattern, context);
    return text !== undefined && arnPattern(text).test(resourceArn);
  };
  return (
    asList(statement.Action).some((pattern) => actionPattern(pattern).test(action)) &&
    asList(statement.Resource).some(isOfResource) &&
    conditionsOf(statement).every((condition) => holds(condition, context))
  );
}
