import { acceptsMultipleInputs, type Draft, type RecipeDescription } from './draft.ts';
import { type DraftStep, type EarlierStep, stepRecipePath } from './draft-step.ts';
import { EarlierStepSection } from './earlier-step.tsx';

type Props = {
  recipes: readonly RecipeDescription[];
  draft: Draft;
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

/** What is done before the recipe, step by step; recipes that join several inputs are left out, which no step has. */
export function EarlierSteps({ recipes, draft: { earlierSteps }, problems, onChange }: Props) {
  const offered = recipes.filter((recipe) => !acceptsMultipleInputs(recipe));
  const put = (index: number, step: DraftStep) =>
    onChange({ earlierSteps: earlierSteps.map((one, at) => (at === index ? { ...step, id: one.id } : one)) });
  return earlierSteps.map((step, index) => (
    <EarlierStepSection
      key={step.id}
      recipes={offered}
      step={step}
      title={`Step ${index + 1}`}
      path={stepRecipePath(index, earlierSteps.length + 1)}
      problems={problems}
      onChange={(next) => put(index, next)}
      onRaise={index === 0 ? undefined : () => onChange({ earlierSteps: raised(earlierSteps, index) })}
      onRemove={() => onChange({ earlierSteps: earlierSteps.toSpliced(index, 1) })}
    />
  ));
}

function raised(steps: readonly EarlierStep[], index: number): EarlierStep[] {
  return steps.toSpliced(index, 1).toSpliced(index - 1, 0, ...steps.slice(index, index + 1));
}
