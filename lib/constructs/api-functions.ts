import type { Construct } from 'constructs';
import type { Contract } from '../../core/api/contract.ts';
import { kebabCase } from '../function-names.ts';
import { allow } from '../grants.ts';
import type { StageResources } from '../stage-resources.ts';
import { BundledFunction } from './bundled-function.ts';
import type { ApiRoute } from './job-api.ts';

export type ApiFunctionsProps = {
  contracts: readonly Contract[];
  buildDirectory: string;
  resources: StageResources;
};

/** The caller's API key is looked up in the table, and its last use noted. */
const authentication = ['table.get', 'table.update'] as const;

/** One function per contract, granted what the contract uses and nothing else. */
export function apiFunctions(
  scope: Construct,
  { contracts, buildDirectory, resources }: ApiFunctionsProps,
): ApiRoute[] {
  return contracts.map(({ id, method, path, callers, uses }) => {
    const { lambda } = apiFunction(scope, { name: kebabCase(id), buildDirectory, resources });
    allow(lambda, callers.length > 0 ? [...authentication, ...uses] : uses, resources);
    return { id, method, path, lambda };
  });
}

/** A function behind the HTTP API. It may use nothing yet. */
export function apiFunction(
  scope: Construct,
  { name, buildDirectory, resources }: { name: string; buildDirectory: string; resources: StageResources },
): BundledFunction {
  return new BundledFunction(scope, {
    name,
    buildDirectory,
    settings: resources.settings,
    // CPU comes with memory, and a cold start is mostly CPU.
    memoryMb: 1024,
    // Below the 30 s after which API Gateway answers in its own shape.
    timeoutSeconds: 20,
  });
}
