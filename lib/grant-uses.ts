import { PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import type { Use } from '../core/api/contract.ts';
import { acknowledgeWildcard } from './acknowledge-findings.ts';
import { type BucketStatement, type BucketUse, bucketStatements, isBucketUse, type Scope } from './bucket-grants.ts';
import { grants, type WorkerUse } from './grants.ts';
import { stageBuckets } from './settings/buckets.ts';
import type { StageResources } from './stage-resources.ts';

/** A function, or a task of ECS. */
export type Grantee = IConstruct & {
  role?: IConstruct | undefined;
  addToRolePolicy(statement: PolicyStatement): void;
  addEnvironment(name: string, value: string): unknown;
};

/** Grants a function or a task its declared accesses and sets the environment variables that go with them. */
export function grantUses(grantee: Grantee, uses: readonly (Use | WorkerUse)[], resources: StageResources): void {
  const { role = grantee } = grantee;
  for (const use of new Set(uses)) {
    allow(use, { role, add: (statement) => grantee.addToRolePolicy(statement) }, { resources, scope: 'stage' });
    setEnvironment(grantee, use, resources);
  }
}

/** Grants a role accesses to what the tags of its sessions name: one owner and one job. */
export function grantJobUses(role: Role, uses: readonly (Use | WorkerUse)[], resources: StageResources): void {
  const grantee = { role, add: (statement: PolicyStatement) => void role.addToPolicy(statement) };
  for (const use of new Set(uses)) allow(use, grantee, { resources, scope: 'job' });
}

/** Sets the environment variables of accesses that a function has by the sessions of another role. */
export function nameUses(grantee: Grantee, uses: readonly (Use | WorkerUse)[], resources: StageResources): void {
  for (const use of new Set(uses)) setEnvironment(grantee, use, resources);
}

function setEnvironment(grantee: Grantee, use: Use | WorkerUse, resources: StageResources): void {
  const { environment } = isBucketUse(use) ? ofBuckets(use, resources, 'stage') : ofStage(use, resources, 'stage');
  for (const [name, value] of Object.entries(environment)) grantee.addEnvironment(name, value);
}

function allow(
  use: Use | WorkerUse,
  { role, add }: { role: IConstruct; add: (statement: PolicyStatement) => void },
  { resources, scope }: { resources: StageResources; scope: Scope },
): void {
  const { statements } = isBucketUse(use) ? ofBuckets(use, resources, scope) : ofStage(use, resources, scope);
  for (const { actions, resources: targets, conditions } of statements) {
    add(new PolicyStatement({ actions: [...actions], resources: targets, conditions }));
    for (const target of targets.filter((arn) => arn.endsWith('*'))) {
      acknowledgeWildcard(
        role,
        target,
        'Objects under one prefix, executions of one state machine (their names contain future job ids), answers to task tokens, which support no resource, the key of one alias, or roles of other accounts.',
      );
    }
  }
}

type Granted = { statements: BucketStatement[]; environment: Record<string, string> };

function ofStage(use: keyof typeof grants, resources: StageResources, scope: Scope): Granted {
  const { actions, resourceArns, conditions, environment } = grants[use];
  const statement = { actions, resources: resourceArns(resources, scope), conditions: conditions?.(resources, scope) };
  const isNeeded = actions.length > 0 && statement.resources.length > 0;
  return { statements: isNeeded ? [statement] : [], environment: environment(resources) };
}

function ofBuckets(use: BucketUse, { settings }: StageResources, scope: Scope): Granted {
  const buckets = stageBuckets(settings);
  const environment: Record<string, string> = buckets.length === 0 ? {} : { BUCKETS: JSON.stringify(buckets) };
  return { statements: bucketStatements(use, settings, scope), environment };
}
