import { inputName } from '../../dashboard/format/input-name.ts';

type RecipeWords = { name: string; [parameter: string]: unknown };

/** A job's request in any of its modes: one input or several, one recipe or steps. */
export type AnyRequest = {
  mode: string;
  input?: { url: string } | undefined;
  inputs?: readonly { url: string }[] | undefined;
  output: { format: string };
  recipe?: RecipeWords | undefined;
  steps?: readonly { name?: string | undefined; recipe: RecipeWords }[] | undefined;
  webhookUrl?: string | undefined;
};

/** The URLs of a request's inputs, in their order. */
export function inputUrls({ input, inputs }: AnyRequest): string[] {
  return (inputs ?? (input === undefined ? [] : [input])).map(({ url }) => url);
}

/** What to call a job: the name of its first input, and how many follow. */
export function inputWords(request: AnyRequest): string {
  const [first = '', ...others] = inputUrls(request);
  return others.length === 0 ? inputName(first) : `${inputName(first)} and ${others.length} more`;
}

/** The recipes that a request runs, in their order. */
export function recipesOf({ recipe, steps = [] }: AnyRequest): RecipeWords[] {
  return recipe === undefined ? steps.map((step) => step.recipe) : [recipe];
}
