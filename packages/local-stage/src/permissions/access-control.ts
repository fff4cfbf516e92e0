import { account } from '../aws-names.ts';
import type { AccessRequest, Denial, Principal } from './access-request.ts';
import { conditionsOf, isSupported } from './iam/conditions.ts';
import { requestContext } from './iam/context.ts';
import { evaluate } from './iam/evaluate.ts';
import { asList, type LocatedStatement, type PermissionsPlan, type PolicyStatement } from './iam/policies.ts';
import { actionPattern, arnPattern, hasVariable, stringPattern } from './iam/wildcards.ts';
import { type PermissionUse, permissionUse, type UseReport } from './use-report.ts';

/** The condition keys that the local stage supplies. It does not start with a policy that has another one. */
const contextKeys: readonly string[] = [
  'aws:PrincipalTag/',
  'aws:ResourceAccount',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:LeadingKeys',
  'ecs:cluster',
  'iam:PassedToService',
  'kms:EncryptionContext:',
  'kms:EncryptionContextKeys',
  'kms:ResourceAliases',
  's3:prefix',
];

/** Evaluates requests against the policies of the template. */
export type AccessControl = {
  /** The denial of the first request that the policies do not allow; undefined if they allow all. */
  check(principal: Principal, requests: readonly AccessRequest[]): Denial | undefined;
  /** The use of each statement, and the denied requests. */
  report(): UseReport;
  counts(): CheckCounts;
};

/** `checks`: requests to a service or a function. `evaluations`: decisions that were not in the cache. */
type CheckCounts = { checks: number; evaluations: number };

/** The policies that apply to one principal and one resource. */
type PolicySet = {
  principal: string;
  /** Identity-based: of the principal. */
  identity: readonly LocatedStatement[];
  /** Resource-based. */
  resource: readonly LocatedStatement[] | undefined;
  /** By action. */
  rules: Map<string, ActionRules>;
};

/** What decides about one action: its statements, apart from those that name other actions. */
type ActionRules = {
  /** Each distinct `Resource`, compiled. The set of matching patterns is part of the cache key. */
  patterns: readonly RegExp[];
  conditionKeys: readonly ConditionKey[];
  /** By cache key; undefined where a statement has a policy variable, whose values have no end. */
  decisions: Map<string, Decision> | undefined;
};

/** `patterns` has the operands of a key that is only compared by `StringLike`: which of them match decides. */
type ConditionKey = { name: string; patterns: readonly RegExp[] | undefined };

type Decision = { isAllowed: boolean; isExplicit: boolean; countUse: () => void };

/** Connections count as TLS: the local stage has no certificates. */
export const tlsContext: Readonly<Record<string, string | string[]>> = { 'aws:SecureTransport': 'true' };

/**
 * Evaluates requests as IAM does. Caches each decision by principal, action, matching `Resource` patterns and the
 * condition keys in use: their values, or the patterns that these match.
 *
 * @throws Error if a policy has a condition key that the local stage does not supply, or an operator that it does not
 *   evaluate
 */
export function accessControl({ roles, resourcePolicies }: PermissionsPlan): AccessControl {
  const allStatements = [...roles, ...resourcePolicies].flatMap(({ statements }) => statements);
  for (const { id, statement } of allStatements) assertKnownConditions(id, statement);
  const rolesByArn = new Map(roles.map((role) => [role.arn, role]));
  const policyByResource = new Map(resourcePolicies.map(({ resourceArn, statements }) => [resourceArn, statements]));
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
      resource: policyByResource.get(owner),
      rules: new Map(),
    };
    sets.set(key, created);
    return created;
  }

  function decide(
    { principal, identity, resource }: PolicySet,
    { action, resourceArn, context }: AccessRequest,
  ): Decision {
    evaluations += 1;
    const { result, allowedBy } = evaluate(
      {
        caller: principal,
        action,
        resourceArn,
        resourceAccount: account,
        context: requestContext({ ...tlsContext, ...context }),
      },
      { identity, resource },
    );
    return {
      isAllowed: result === 'allowed',
      isExplicit: result === 'explicitly denied',
      countUse: usage.counter(allowedBy, action),
    };
  }

  function decisionOn(set: PolicySet, request: AccessRequest): Decision {
    const rules = actionRules(set, request.action);
    if (rules.decisions === undefined) return decide(set, request);
    const key = decisionKey(rules, request);
    const cached = rules.decisions.get(key);
    if (cached !== undefined) return cached;
    const decision = decide(set, request);
    rules.decisions.set(key, decision);
    return decision;
  }

  function denialOfOne(principal: Principal, request: AccessRequest): Denial | undefined {
    const set = policySet(principal, request.resourceArn);
    const decision = decisionOn(set, request);
    if (decision.isAllowed) {
      decision.countUse();
      return undefined;
    }
    const denial = denialOf(set.principal, request, decision.isExplicit);
    usage.denied(denial);
    return denial;
  }

  return {
    check(principal, requests) {
      checks += 1;
      for (const request of requests) {
        const denial = denialOfOne(principal, request);
        if (denial !== undefined) return denial;
      }
      return undefined;
    },
    report: usage.report,
    counts: () => ({ checks, evaluations }),
  };
}

function actionRules({ identity, resource = [], rules }: PolicySet, action: string): ActionRules {
  const cached = rules.get(action);
  if (cached) return cached;
  const statements = [...identity, ...resource]
    .map(({ statement }) => statement)
    .filter(({ Action }) => asList(Action).some((pattern) => actionPattern(pattern).test(action)));
  const patterns = new Set(statements.flatMap(({ Resource }) => asList(Resource)));
  const operands = statements.flatMap(conditionsOf).flatMap((condition) => condition.operands);
  const created: ActionRules = {
    patterns: [...patterns].map(arnPattern),
    conditionKeys: conditionKeys(statements),
    decisions: [...patterns, ...operands].some(hasVariable) ? undefined : new Map(),
  };
  rules.set(action, created);
  return created;
}

/** The resource whose policy applies: for an object its bucket, otherwise the resource itself. */
function policyOwner(resourceArn: string): string {
  return resourceArn.startsWith('arn:aws:s3:::') ? (resourceArn.split('/')[0] ?? resourceArn) : resourceArn;
}

function decisionKey({ patterns, conditionKeys }: ActionRules, { resourceArn, context = {} }: AccessRequest): string {
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
  const conditions = statements.flatMap(conditionsOf);
  return [...new Set(conditions.map(({ name }) => name))].map((name) => {
    const uses = conditions.filter((condition) => condition.name === name);
    const isPattern = uses.every(({ operator }) => operator.endsWith('StringLike'));
    const operands = new Set(uses.flatMap((use) => use.operands));
    return { name, patterns: isPattern ? [...operands].map(stringPattern) : undefined };
  });
}

function assertKnownConditions(id: string, statement: PolicyStatement): void {
  for (const condition of conditionsOf(statement)) {
    if (!contextKeys.includes(condition.name.replace(/^(kms:EncryptionContext:|aws:PrincipalTag\/).+/, '$1'))) {
      throw new Error(
        `Policy statement ${id} has the condition key ${condition.name}, which the local stage does not supply. ` +
          `It supplies ${contextKeys.join(', ')}.`,
      );
    }
    if (!isSupported(condition)) {
      throw new Error(
        `Policy statement ${id} has the condition operator ${condition.operator}, which the local stage does not evaluate.`,
      );
    }
  }
}
