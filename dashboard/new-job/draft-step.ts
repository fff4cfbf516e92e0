import type { RecipeDescription } from './draft.ts';

/** A recipe, and what was chosen for it: where it is media also as a file. The recipe decides the rest. */
export type DraftStep = {
  recipe: RecipeDescription;
  parameters: Record<string, unknown>;
  /** Under which the step's own result is kept, where it is. */
  name?: string | undefined;
};

/** One before the last; its id tells it from the others of the form, wherever it stands. */
export type EarlierStep = DraftStep & { id: number };

/** As many as the API takes. */
const mostSteps = 8;

/** Whether there may be another one before the last. */
export function canAddStep(before: readonly EarlierStep[]): boolean {
  return before.length + 1 < mostSteps;
}

/** The same steps and one more. */
export function addStep(before: readonly EarlierStep[], step: DraftStep): EarlierStep[] {
  return [...before, { ...step, id: 1 + Math.max(-1, ...before.map(({ id }) => id)) }];
}

/** A step with nothing chosen but what its recipe leaves to nobody. */
export function newStep(recipe: RecipeDescription): DraftStep {
  return { recipe, parameters: examplesOfRequired(recipe) };
}

/** Where a step's recipe is in the request, by which its problems are told. */
export function stepRecipePath(index: number, count: number): string {
  return count === 1 ? 'recipe' : `steps.${index}.recipe`;
}

/** Where there is no default to leave a number or a choice at, its form begins with that of the recipe's example. */
function examplesOfRequired({ parameters, exampleRequest }: RecipeDescription): Record<string, unknown> {
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  const example = exampleRequest.recipe;
  if (typeof example !== 'object' || example === null) return {};
  return Object.fromEntries(
    Object.entries(example).filter(([name, value]) => required.includes(name) && typeof value === 'number'),
  );
}
