import { runSimulation } from '@cloud-copilot/iam-simulate';
import { account } from '../aws-names.ts';
import type { AccessRequest, Denial, Principal } from './access-request.ts';
import { asList, type LocatedStatement, type PermissionsPlan, type PolicyStatement } from './policies.ts';
import { contextKeys } from './request-context.ts';
import { type PermissionUse, permissionUse, type UseReport } from './use-report.ts';
import { actionPattern, arnPattern } from './wildcards.ts';

/** Evaluates requests against the policies of the template. */
export type AccessControl = {
  /**
   * The denial of the first request that the policies do not allow; undefined if they allow all. A promise only where a
   * decision is not in the cache.
   */
  check(principal: Principal, requests: readonly AccessRequest[]): CheckResult | Promise<CheckResult>;
  /** The use of each statement, and the denied requests. */
  report(): UseReport;
  counts(): CheckCounts;
};

type CheckResult = Denial | undefined;

/** `checks`: requests to a service or a function. `evaluations`: decisions that were not in the cache. */
export type CheckCounts = { checks: number; evaluations: number };

/** The policies that apply to one principal and one resource. */
type PolicySet = {
  principal: string;
  /** Identity-based: of the principal. */
  identity: readonly LocatedStatement[];
  /** Resource-based. */
  resource: readonly LocatedStatement[];
  /** By action. */
  rules: Map<string, ActionRules>;
};

/** What decides about one action: its statements, apart from those that name other actions. */
type ActionRules = {
  /** Each distinct `Resource`, compiled. The set of matching patterns is part of the cache key. */
  patterns: readonly RegExp[];
  conditionKeys: readonly ConditionKey[];
  decisions: Map<string, Decision | Promise<Decision>>;
};

/** `patterns` has the operands of a key that is only compared by `StringLike`: which of them match decides. */
type ConditionKey = { name: string; patterns: readonly RegExp[] | undefined };

type Decision = { isAllowed: boolean; isExplicit: boolean; countUse: () => void };

type Context = Readonly<Record<string, string | string[]>>;

/** Connections count as TLS: the local stage has no certificates. */
const tlsContext: Context = { 'aws:SecureTransport': 'true' };

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
  // Two maps, since a joined key would be hashed anew at each check.
  const setsByPrincipal = new Map<string, Map<string, PolicySet>>();
  let checks = 0;
  let evaluations = 0;

  function policySet(principal: Principal, resourceArn: string): PolicySet {
    const owner = policyOwner(resourceArn);
    const name = 'roleArn' in principal ? principal.roleArn : principal.service;
    const key = policyByResource.has(owner) ? owner : '';
    let sets = setsByPrincipal.get(name);
    if (sets === undefined) {
      sets = new Map();
      setsByPrincipal.set(name, sets);
    }
    const cached = sets.get(key);
    if (cached) return cached;
    const role = 'roleArn' in principal ? rolesByArn.get(principal.roleArn) : undefined;
    const created: PolicySet = {
      principal: name,
      identity: role?.statements ?? [],
      resource: policyByResource.get(owner) ?? [],
      rules: new Map(),
    };
    sets.set(key, created);
    return created;
  }

  async function decide(set: PolicySet, request: AccessRequest): Promise<Decision> {
    evaluations += 1;
    const { allowedBy, ...decision } = await evaluate(set, request);
    return { ...decision, countUse: usage.counter(allowedBy, request.action) };
  }

  function decisionOn(set: PolicySet, request: AccessRequest): Decision | Promise<Decision> {
    const rules = actionRules(set, request.action);
    const key = decisionKey(rules, request);
    const cached = rules.decisions.get(key);
    if (cached !== undefined) return cached;
    const pending = decide(set, request).then((decision) => {
      rules.decisions.set(key, decision);
      return decision;
    });
    rules.decisions.set(key, pending);
    return pending;
  }

  function firstDenial(
    principal: Principal,
    requests: readonly AccessRequest[],
  ): CheckResult | Promise<CheckResult> {
    for (const request of requests) {
      const set = policySet(principal, request.resourceArn);
      const decision = decisionOn(set, request);
      if (decision instanceof Promise) {
        return decision.then(() => firstDenial(principal, requests.slice(requests.indexOf(request))));
      }
      if (!decision.isAllowed) {
        const denial = denialOf(set.principal, request, decision.isExplicit);
        usage.denied(denial);
        return denial;
      }
      decision.countUse();
    }
    return undefined;
  }

  return {
    check(principal, requests) {
      checks += 1;
      return firstDenial(principal, requests);
    },
    report: usage.report,
    counts: () => ({ checks, evaluations }),
  };
}

function actionRules({ identity, resource, rules }: PolicySet, action: string): ActionRules {
  const cached = rules.get(action);
  if (cached) return cached;
  const statements = [...identity, ...resource]
    .map(({ statement }) => statement)
    .filter(({ Action }) => asList(Action).some((pattern) => actionPattern(pattern).test(action)));
  const patterns = new Set(statements.flatMap(({ Resource }) => asList(Resource)));
  const created: ActionRules = {
    patterns: [...patterns].map(arnPattern),
    conditionKeys: conditionKeys(statements),
    decisions: new Map(),
  };
  rules.set(action, created);
  return created;
}

/** The resource whose policy applies: for an object its bucket, otherwise the resource itself. */
function policyOwner(resourceArn: string): string {
  return resourceArn.startsWith('arn:aws:s3:::') ? (resourceArn.split('/')[0] ?? resourceArn) : resourceArn;
}

function decisionKey(
  { patterns, conditionKeys }: ActionRules,
  { resourceArn, context = {} }: AccessRequest,
): string {
  let key = matchBits(patterns, resourceArn);
  for (const { name, patterns: operands } of conditionKeys) {
    const value = context[name] ?? tlsContext[name];
    if (operands === undefined || value === undefined) key += ` ${JSON.stringify(value)}`;
    else if (Array.isArray(value) && value.length !== 1) key += ` ${eachMatch(operands, value)}`;
    else key += ` ${matchBits(operands, String(value))}`;
  }
  return key;
}

/** What distinct values match, in any order. */
function eachMatch(patterns: readonly RegExp[], values: readonly string[]): string {
  return [...new Set(values.map((text) => matchBits(patterns, text)))].sort().join();
}

/** `01` if only the second of two patterns matches. */
function matchBits(patterns: readonly RegExp[], text: string): string {
  let bits = '';
  for (const pattern of patterns) bits += pattern.test(text) ? '1' : '0';
  return bits;
}

async function evaluate(
  { principal, identity, resource }: PolicySet,
  { action, resourceArn, context }: AccessRequest,
) {
  const simulated = await runSimulation(
    {
      request: {
        principal,
        action,
        resource: { resource: resourceArn, accountId: account },
        contextVariables: { ...tlsContext, ...context },
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
