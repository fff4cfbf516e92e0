import { allSteps, type Draft, draftToRequest } from './draft.ts';
import { stepRecipePath } from './draft-step.ts';
import { type ParameterValidation, validateParameters } from './validate-parameters.ts';

/** What is wrong with the parameters of every step, by their paths in the request, and which are missing. */
export function validateDraft(draft: Draft): ParameterValidation {
  const { recipe, steps = recipe === undefined ? [] : [{ recipe }] } = draftToRequest(draft);
  const whole: ParameterValidation = { problems: {}, missing: [] };
  for (const [index, step] of allSteps(draft).entries()) {
    const { name: _, ...parameters } = steps[index]?.recipe ?? { name: '' };
    const { problems, missing } = validateParameters(step.recipe.parameters, parameters);
    const path = stepRecipePath(index, steps.length);
    for (const [name, words] of Object.entries(problems)) whole.problems[`${path}.${name}`] = words;
    whole.missing.push(...missing);
  }
  return whole;
}
