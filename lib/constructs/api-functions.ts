import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IDependable } from 'constructs';
import type { Caller } from '../../core/access/authentication.ts';
import type { Contract, Use } from '../../core/api/contract.ts';
import { grantUses } from '../grants.ts';
import { kebabCase } from '../names.ts';
import { sessionEnvironment } from '../settings/identity.ts';
import type { Settings } from '../settings/settings.ts';
import type { StageResources } from '../stage-resources.ts';
import { BundledFunction } from './bundled-function.ts';
import type { ApiRoute } from './job-api.ts';

export type ApiFunctionsProps = {
  contracts: readonly Contract[];
  buildDirectory: string;
  resources: StageResources;
  /** Undefined if the stage has no edge distribution. */
  edge: OriginCheck | undefined;
};

/** How a function recognizes requests that came through the edge distribution. */
export type OriginCheck = {
  /** The origin secret that the API accepts. */
  acceptedSecret: string;
  /** Created before the functions reject requests that do not come through it. */
  distribution: IDependable;
};

/** Authentication reads the API key from the table and records its last use, or salts the owner of a session. */
function authentication(callers: readonly Caller[], { tenancy, identityProvider }: Settings): Use[] {
  if (callers.length === 0) return [];
  const isSalted = tenancy === 'multi' && identityProvider !== undefined && callers.includes('session');
  return [
    'keys.get',
    ...(callers.includes('key') ? (['keys.update'] as const) : []),
    ...(isSalted ? (['ownerSalt.update'] as const) : []),
  ];
}

/** Creates one function per contract, with the accesses that the contract declares. */
export function apiFunctions(
  scope: Construct,
  { contracts, buildDirectory, resources, edge }: ApiFunctionsProps,
): ApiRoute[] {
  return contracts.map(({ id, method, path, callers, uses }) => {
    const { lambda } = apiFunction(scope, {
      name: kebabCase(id),
      buildDirectory,
      settings: resources.settings,
    });
    grantUses(lambda, [...authentication(callers, resources.settings), ...uses], resources);
    if (callers.includes('session')) addSessions(lambda, resources.settings);
    if (edge !== undefined) acceptOnly(lambda, edge);
    return { id, method, path, lambda, isPublic: callers.length === 0 };
  });
}

function acceptOnly(lambda: LambdaFunction, { acceptedSecret, distribution }: OriginCheck): void {
  lambda.addEnvironment('ORIGIN_SECRET', acceptedSecret);
  lambda.node.addDependency(distribution);
}

function addSessions(lambda: LambdaFunction, { identityProvider }: Settings): void {
  for (const [name, value] of Object.entries(sessionEnvironment(identityProvider))) {
    lambda.addEnvironment(name, value);
  }
}

/** Creates a function behind the HTTP API, without grants. */
export function apiFunction(
  scope: Construct,
  { name, buildDirectory, settings }: { name: string; buildDirectory: string; settings: Settings },
): BundledFunction {
  const bundled = new BundledFunction(scope, {
    name,
    buildDirectory,
    settings,
    // CPU grows with memory, and a cold start is CPU-bound.
    memoryMb: 1024,
    // Below API Gateway's time-out of 30 s, whose error has another format.
    timeoutSeconds: 20,
  });
  const { dashboardOrigin } = settings;
  if (dashboardOrigin !== undefined) bundled.lambda.addEnvironment('DASHBOARD_ORIGIN', dashboardOrigin);
  return bundled;
}
