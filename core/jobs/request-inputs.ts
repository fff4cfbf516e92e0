import type { JobRequestRecord } from './record.ts';

/** A request with one input or, for the recipes that join, with several. */
export type WithInputs = Pick<JobRequestRecord, 'input' | 'inputs'>;

/** The URLs of a request's inputs, in their order. */
export function inputUrls({ input, inputs }: WithInputs): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(({ url }) => url);
}

/** What a job is called by its work: its recipe's name, or `pipeline`. */
export function recipeLabel({ recipe }: Pick<JobRequestRecord, 'recipe'>): string {
  return recipe?.name ?? 'pipeline';
}
