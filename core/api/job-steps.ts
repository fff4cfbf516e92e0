import type * as z from 'zod';
import type { Format } from '../media/formats.ts';
import { assignFormats } from '../recipes/pipeline/steps.ts';
import { findConflicts, findRecipe, type RecipeRequest } from '../recipes/registry.ts';

type Step = { name?: string | undefined; recipe: RecipeRequest };

/** What is wrong with a pipeline whatever its input is; each is told at the step that it is about. */
export function rejectInvalidSteps(
  { steps, output: { format } }: { steps: readonly Step[]; output: { format: Format } },
  context: z.RefinementCtx,
): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  for (const [index, { name, recipe, format: made }] of assignFormats(steps, format).entries()) {
    const place = ['steps', index];
    if (name !== undefined && steps.findIndex((step) => step.name === name) < index) {
      refuse([...place, 'name'], `Another step is called ${name}`);
    }
    if (findRecipe(recipe.name)?.inputCount) {
      refuse(
        [...place, 'recipe', 'name'],
        `The recipe ${recipe.name} takes several inputs, which no step has`,
      );
    }
    for (const { path, message } of findConflicts(recipe, made)) {
      refuse(path.startsWith('recipe') ? [...place, ...path.split('.')] : path.split('.'), message);
    }
  }
}
