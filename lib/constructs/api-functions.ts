import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct, IDependable } from 'constructs';
import type { Caller } from '../../core/access/authentication.ts';
import type { Contract, Use } from '../../core/api/contract.ts';
import { grantUses } from '../grant-uses.ts';
import { pascalCase } from '../names.ts';
import { sessionEnvironment } from '../settings/identity.ts';
import type { Settings } from '../settings/settings.ts';
import { filesOfWatches } from '../settings/watches.ts';
import type { StageResources } from '../stage-resources.ts';
import { BundledFunction, type BundledFunctionProps, filesOf } from './bundled-function.ts';
import { type ApiRoute, integrationOf } from './job-api.ts';

export type ApiFunctionsProps = {
  contracts: readonly Contract[];
  buildDirectory: string;
  resources: StageResources;
  /** Undefined if the API may be called directly. */
  origin: OriginCheck | undefined;
};

/** How a function recognizes requests that came through the edge distribution. */
export type OriginCheck = {
  /** The origin secret that the API accepts. */
  acceptedSecret: string;
  /** Created before the functions reject requests that do not come through it. */
  distribution: IDependable;
};

/**
 * Authentication reads the API key from the table and records its last use, or salts the owner of a session. Then the request
 * takes a token of its credential.
 */
function authentication(callers: readonly Caller[], { tenancy, identityProvider, rateLimit }: Settings): Use[] {
  if (callers.length === 0) return [];
  const isSalted = tenancy === 'multi' && identityProvider !== undefined && callers.includes('session');
  return [
    'keys.get',
    ...(callers.includes('key') ? (['keys.update'] as const) : []),
    ...(rateLimit === null ? [] : (['rates.take'] as const)),
    ...(isSalted ? (['ownerSalt.update'] as const) : []),
  ];
}

/** Creates the functions of the contracts, each with the accesses that its contracts declare. */
export function apiFunctions(
  scope: Construct,
  { contracts, buildDirectory, resources, origin }: ApiFunctionsProps,
): ApiRoute[] {
  const { settings, presets } = resources;
  const byFunction = Map.groupBy(contracts, (contract) => contract.function);
  return [...byFunction].flatMap(([name, ofFunction]) => {
    const files = filesBeside(ofFunction, { settings, presets });
    const { lambda } = apiFunction(scope, { name, buildDirectory, settings, files });
    const uses = ofFunction.flatMap(({ callers, uses, audit }) => [
      ...authentication(callers, settings),
      ...uses,
      ...(audit === undefined ? [] : (['table.put'] as const)),
    ]);
    grantUses(lambda, uses, resources);
    if (ofFunction.some(({ callers }) => callers.includes('session'))) addSessions(lambda, settings);
    if (origin !== undefined) {
      lambda.addEnvironment('ORIGIN_SECRET', origin.acceptedSecret);
      lambda.node.addDependency(origin.distribution);
    }
    const integration = integrationOf(pascalCase(name), lambda);
    return ofFunction.map(({ method, path, callers }) => {
      return { method, path, integration, isPublic: callers.length === 0 };
    });
  });
}

/** The texts beside the code of a function; undefined if it reads none. */
function filesBeside(
  contracts: readonly Contract[],
  { settings, presets }: Pick<StageResources, 'settings' | 'presets'>,
): Record<string, string> | undefined {
  const reads = (use: Use) => contracts.some(({ uses }) => uses.includes(use));
  const files = {
    ...(reads('presets.read') && filesOf(presets)),
    ...(reads('watches.list') && filesOfWatches(settings)),
  };
  return Object.keys(files).length === 0 ? undefined : files;
}

function addSessions(lambda: LambdaFunction, { identityProvider }: Settings): void {
  for (const [name, value] of Object.entries(sessionEnvironment(identityProvider))) lambda.addEnvironment(name, value);
}

/** Creates a function behind the HTTP API, without grants. */
export function apiFunction(
  scope: Construct,
  {
    name,
    buildDirectory,
    settings,
    files,
  }: Pick<BundledFunctionProps, 'name' | 'buildDirectory' | 'settings' | 'files'>,
): BundledFunction {
  const bundled = new BundledFunction(scope, {
    name,
    buildDirectory,
    settings,
    files,
    // CPU grows with memory, and a cold start is CPU-bound.
    memoryMb: 1024,
    // Below API Gateway's time-out of 30 s, whose error has another format.
    timeoutSeconds: 20,
  });
  const { dashboardOrigin } = settings;
  if (dashboardOrigin !== undefined) bundled.lambda.addEnvironment('DASHBOARD_ORIGIN', dashboardOrigin);
  return bundled;
}
