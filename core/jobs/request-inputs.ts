import type { JobRequestRecord } from './record.ts';

/** A request with one input, or with several for a recipe that joins them. */
export type WithInputs = Pick<JobRequestRecord, 'input' | 'inputs'>;

/** The URLs of a request's inputs, in order. */
export function inputUrls({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(({ url }) => url);
}

/** The recipe of a job as metrics and lists show it: its name, or `pipeline`. */
export function recipeLabel({ recipe }: Pick<JobRequestRecord, 'recipe'>): string {
  return recipe?.name ?? 'pipeline';
}
