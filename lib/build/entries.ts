import { globSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '../../core/api/contract.ts';
import { root } from './paths.ts';

/**
 * A function to bundle. `file` exports its `handler`; the path is relative to the project's root. `parts` are bundles of their
 * own in its folder, by name: `file` imports them on demand.
 */
export type FunctionEntry = { name: string; file: string; parts?: Readonly<Record<string, string>> };

/** Functions without a contract, and the program of Fargate tasks. */
export const workers = [
  'transcode',
  'encode-chunk',
  'join-chunks',
  'fargate-task',
  'open-job',
  'deliver-webhook',
  'reconcile',
  'run-batch',
  'maintain-edge',
  'watch',
] as const;

/** Answers requests that match no route. */
export const fallback = 'not-found';

/** All functions of a stage: those of the contracts, the API's fallback, and the workers. */
export function entries(contracts: readonly Contract[]): FunctionEntry[] {
  const names = new Set([...contracts.map((contract) => contract.function), fallback, ...workers]);
  return [...names].map(entryOf);
}

/** The entry of a function, with a part for each file of its folder `parts`. */
export function entryOf(name: string): FunctionEntry {
  const folder = `functions/${name}`;
  const files = globSync(`${folder}/parts/*.ts`, { cwd: root }).toSorted();
  const parts = Object.fromEntries(files.map((file) => [path.parse(file).name, file]));
  return { name, file: `${folder}/handler.ts`, parts };
}
