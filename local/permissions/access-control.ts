import { runSimulation } from '@cloud-copilot/iam-simulate';
import { account } from '../aws-names.ts';
import type { AccessRequest, Denial, Principal } from './access-request.ts';
import { arnPattern } from './arn-pattern.ts';
import {
  asList,
  type LocatedStatement,
  type PermissionsPlan,
  type PolicyStatement,
  type RolePlan,
} from './policies.ts';
import { contextKeys } from './request-context.ts';
import { type PermissionUse, permissionUse, type UseReport } from './use-report.ts';

/** Evaluates requests against the policies of the template. */
export type AccessControl = {
  /** Returns the denial of the first request that the policies do not allow; undefined if they allow all. */
  check(principal: Principal, requests: readonly AccessRequest[]): Promise<Denial | undefined>;
  /** The use of each statement, and the denied requests. */
  report(): UseReport;
  counts(): CheckCounts;
};

/** `checks`: requests to a service or a function. `evaluations`: decisions that were not in the cache. */
export type CheckCounts = { checks: number; evaluations: number };

/** The policies that apply to one principal and one resource. */
type PolicySet = {
  principal: string;
  /** Identity-based: of the principal. */
  identity: readonly LocatedStatement[];
  /** Resource-based. */
  resource: readonly LocatedStatement[];
  /** Each distinct `Resource` of both, compiled. The set of matching patterns is part of the cache key. */
  patterns: readonly RegExp[];
  conditionKeys: readonly ConditionKey[];
};

/** `patterns` has the operands of a key that is only compared by `StringLike`: which of them match decides. */
type ConditionKey = { name: string; patterns: readonly RegExp[] | undefined };

type Decision = { isAllowed: boolean; isExplicit: boolean; allowedBy: readonly string[] };

/** Connections count as TLS: the local stage has no certificates. */
const tlsContext = { 'aws:SecureTransport': 'true' };

/**
 * Evaluates requests with `iam-simulate`. Caches each decision by principal, action, matching `Resource` patterns and
 * the condition keys in use: their values, or the patterns that these match.
 *
 * @throws Error if a policy has a condition key that the local stage does not supply
 */
export function accessControl({ roles, resourcePolicies }: PermissionsPlan): AccessControl {
  const allStatements = [...roles, ...resourcePolicies].flatMap(({ statements }) => statements);
  for (const { id, statement } of allStatements) assertKnownConditions(id, statement);
  const rolesByArn = new Map(roles.map((role) => [role.arn, role]));
  const policyByResource = new Map(
    resourcePolicies.map(({ resourceArn, statements }) => [resourceArn, statements]),
  );
  const usage: PermissionUse = permissionUse({ roles, resourcePolicies });
  const sets = new Map<string, PolicySet>();
  const decisions = new Map<string, Promise<Decision>>();
  let checks = 0;

  function policySet(principal: Principal, resourceArn: string): PolicySet {
    const owner = policyOwner(resourceArn);
    const name = 'roleArn' in principal ? principal.roleArn : principal.service;
    const key = `${name} ${policyByResource.has(owner) ? owner : ''}`;
    const cached = sets.get(key);
    if (cached) return cached;
    const role = 'roleArn' in principal ? rolesByArn.get(principal.roleArn) : undefined;
    const created = createPolicySet(name, role, policyByResource.get(owner) ?? []);
    sets.set(key, created);
    return created;
  }

  return {
    async check(principal, requests) {
      checks += 1;
      for (const request of requests) {
        const set = policySet(principal, request.resourceArn);
        const context = { ...tlsContext, ...request.context };
        const key = decisionKey(set, request, context);
        let decision = decisions.get(key);
        if (decision === undefined) {
          decision = evaluate(set, request, context);
          decisions.set(key, decision);
        }
        const { isAllowed, isExplicit, allowedBy } = await decision;
        if (isAllowed) {
          usage.allowed(allowedBy, request.action);
          continue;
        }
        const denial = denialOf(set.principal, request, isExplicit);
        usage.denied(denial);
        return denial;
      }
      return undefined;
    },
    report: usage.report,
    // Each decision is evaluated once.
    counts: () => ({ checks, evaluations: decisions.size }),
  };
}

function createPolicySet(
  principal: string,
  role: RolePlan | undefined,
  resource: readonly LocatedStatement[],
): PolicySet {
  const identity = role?.statements ?? [];
  const statements = [...identity, ...resource].map(({ statement }) => statement);
  const patterns = new Set(statements.flatMap(({ Resource }) => asList(Resource)));
  return {
    principal,
    identity,
    resource,
    patterns: [...patterns].map(arnPattern),
    conditionKeys: conditionKeys(statements),
  };
}

/** The resource whose policy applies: for an object its bucket, otherwise the resource itself. */
function policyOwner(resourceArn: string): string {
  return resourceArn.startsWith('arn:aws:s3:::') ? (resourceArn.split('/')[0] ?? resourceArn) : resourceArn;
}

function decisionKey(
  { principal, patterns, conditionKeys }: PolicySet,
  { action, resourceArn }: AccessRequest,
  context: Readonly<Record<string, string | string[]>>,
): string {
  const matches = patterns.map((pattern) => (pattern.test(resourceArn) ? 1 : 0)).join('');
  const values = conditionKeys.map(({ name, patterns: operands }) => {
    const value = context[name];
    if (operands === undefined || value === undefined) return value;
    const bits = asList(value).map((text) =>
      operands.map((operand) => (operand.test(text) ? 1 : 0)).join(''),
    );
    return [...new Set(bits)].sort();
  });
  return JSON.stringify([principal, policyOwner(resourceArn), action, matches, values]);
}

async function evaluate(
  { principal, identity, resource }: PolicySet,
  { action, resourceArn }: AccessRequest,
  context: Readonly<Record<string, string | string[]>>,
): Promise<Decision> {
  const simulated = await runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource: resourceArn, accountId: account },
        contextVariables: { ...context },
      },
      identityPolicies: identity.length === 0 ? [] : [{ name: principal, policy: document(identity) }],
      resourcePolicy: resource.length === 0 ? undefined : document(resource),
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (simulated.resultType !== 'single') {
    throw new Error(
      `Cannot evaluate ${action} on ${resourceArn} by ${principal}: ${JSON.stringify(simulated)}. ` +
        'Expected an action and a resource that IAM knows.',
    );
  }
  const { identityAnalysis, resourceAnalysis } = simulated.result.analysis;
  const allowing = [identityAnalysis, resourceAnalysis].flatMap(
    (analysis) => analysis?.allowStatements ?? [],
  );
  return {
    isAllowed: simulated.overallResult === 'Allowed',
    isExplicit: simulated.overallResult === 'ExplicitlyDenied',
    allowedBy: allowing.flatMap(({ explain }) => explain.identifier),
  };
}

/** A policy document with the ids of the statements as `Sid`: the simulator reports statements by it. */
function document(statements: readonly LocatedStatement[]) {
  return {
    Version: '2012-10-17',
    Statement: statements.map(({ id, statement }) => ({ ...statement, Sid: id })),
  };
}

function denialOf(principal: string, request: AccessRequest, isExplicit: boolean): Denial {
  const { action, resourceArn } = request;
  const reason = isExplicit
    ? 'with an explicit deny in a policy'
    : `because no identity-based policy allows the ${action} action`;
  return {
    ...request,
    principal,
    message: `User: ${principal} is not authorized to perform: ${action} on resource: ${resourceArn} ${reason}`,
  };
}

function conditionKeys(statements: readonly PolicyStatement[]): ConditionKey[] {
  const conditions = statements.flatMap(({ Condition = {} }) =>
    Object.entries(Condition).flatMap(([operator, operands]) =>
      Object.entries(operands).map(([name, operand]) => ({ operator, name, operand })),
    ),
  );
  return [...new Set(conditions.map(({ name }) => name))].map((name) => {
    const uses = conditions.filter((condition) => condition.name === name);
    const isPattern = uses.every(({ operator }) => operator.endsWith('StringLike'));
    const operands = new Set(uses.flatMap(({ operand }) => asList(operand)));
    return { name, patterns: isPattern ? [...operands].map(arnPattern) : undefined };
  });
}

function conditionKeysOf({ Condition = {} }: PolicyStatement): string[] {
  return Object.values(Condition).flatMap((operands) => Object.keys(operands));
}

function assertKnownConditions(id: string, statement: PolicyStatement): void {
  const unknown = conditionKeysOf(statement).find((key) => !contextKeys.includes(key));
  if (unknown === undefined) return;
  throw new Error(
    `Policy statement ${id} has the condition key ${unknown}, which the local stage does not supply. ` +
      `It supplies ${contextKeys.join(', ')}.`,
  );
}
