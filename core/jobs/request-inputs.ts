import type { JobRequestRecord } from './job.ts';

type Request = Pick<JobRequestRecord, 'input' | 'inputs' | 'recipe'>;

/** The URLs of a request's inputs, in their order. */
export function inputUrls({ input, inputs }: Pick<Request, 'input' | 'inputs'>): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(({ url }) => url);
}

/** What a job is called by its work: its recipe's name, or `pipeline`. */
export function workName({ recipe }: Pick<Request, 'recipe'>): string {
  return recipe?.name ?? 'pipeline';
}
