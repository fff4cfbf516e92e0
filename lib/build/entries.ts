import type { Contract } from '../../core/api/contract.ts';

/** A function to bundle. `file` exports its `handler`; the path is relative to the project's root. */
export type FunctionEntry = { name: string; file: string };

/** Functions without a contract, and the program of Fargate tasks. */
export const workers = [
  'transcode',
  'encode-chunk',
  'join-chunks',
  'fargate-task',
  'deliver-webhook',
  'reconcile',
] as const;

/** Answers requests that match no route. */
export const fallback = 'not-found';

/** All functions of a stage: those of the contracts, the API's fallback, and the workers. */
export function entries(contracts: readonly Contract[]): FunctionEntry[] {
  const names = new Set([...contracts.map((contract) => contract.function), fallback, ...workers]);
  return [...names].map((name) => ({ name, file: `functions/${name}/handler.ts` }));
}
