import { checkParameters, type ParameterCheck } from './check-parameters.ts';
import { type Draft, requestOf, stepsOf } from './draft.ts';
import { pathOfStep } from './draft-step.ts';

/** What is wrong with the parameters of every step, by their paths in the request, and which are missing. */
export function checkDraft(draft: Draft): ParameterCheck {
  const { recipe, steps = recipe === undefined ? [] : [{ recipe }] } = requestOf(draft);
  const whole: ParameterCheck = { problems: {}, missing: [] };
  for (const [index, step] of stepsOf(draft).entries()) {
    const { name: _, ...parameters } = steps[index]?.recipe ?? { name: '' };
    const { problems, missing } = checkParameters(step.recipe.parameters, parameters);
    const path = pathOfStep(index, steps.length);
    for (const [name, words] of Object.entries(problems)) whole.problems[`${path}.${name}`] = words;
    whole.missing.push(...missing);
  }
  return whole;
}
