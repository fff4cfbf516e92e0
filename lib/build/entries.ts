import type { Contract } from '../../core/api/contract.ts';
import { kebabCase } from '../function-names.ts';

/** A function to bundle: its name, and the file, from the project's root, that exports its `handler`. */
export type FunctionEntry = { name: string; file: string };

/** The functions that no contract names. */
export const workers = ['transcode', 'encode-chunk', 'join-chunks', 'deliver-webhook', 'reconcile'] as const;

/** Every function of a stage: one per contract, the fallback of the API, and the workers behind it. */
export function entries(contracts: readonly Contract[]): FunctionEntry[] {
  const operations = [...contracts.map(({ id }) => kebabCase(id)), 'not-found'];
  return [
    ...operations.map((name) => ({ name, file: `functions/api/${name}.ts` })),
    ...workers.map((name) => ({ name, file: `functions/${name}/handler.ts` })),
  ];
}
