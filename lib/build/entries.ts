import type { Contract } from '../../core/api/contract.ts';
import { kebabCase } from '../names.ts';

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

/** All functions of a stage: one per contract, the API's fallback, and the workers. */
export function entries(contracts: readonly Contract[]): FunctionEntry[] {
  const operations = [...contracts.map(({ id }) => kebabCase(id)), 'not-found'];
  return [
    ...operations.map((name) => ({ name, file: `functions/api/${name}.ts` })),
    ...workers.map((name) => ({ name, file: `functions/${name}/handler.ts` })),
  ];
}
