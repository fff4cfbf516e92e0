import { type Draft, type RecipeDescription, takesSeveral } from './draft.ts';
import { type DraftStep, type EarlierStep, pathOfStep } from './draft-step.ts';
import { StepBefore } from './step-before.tsx';

type Props = {
  recipes: readonly RecipeDescription[];
  draft: Draft;
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

/** What is done before the recipe, step by step; recipes that join several inputs are left out, which no step has. */
export function StepsBefore({ recipes, draft: { before }, problems, onChange }: Props) {
  const offered = recipes.filter((recipe) => !takesSeveral(recipe));
  const put = (index: number, step: DraftStep) =>
    onChange({ before: before.map((one, at) => (at === index ? { ...step, id: one.id } : one)) });
  return before.map((step, index) => (
    <StepBefore
      key={step.id}
      recipes={offered}
      step={step}
      title={`Step ${index + 1}`}
      path={pathOfStep(index, before.length + 1)}
      problems={problems}
      onChange={(next) => put(index, next)}
      onRaise={index === 0 ? undefined : () => onChange({ before: raised(before, index) })}
      onRemove={() => onChange({ before: before.toSpliced(index, 1) })}
    />
  ));
}

function raised(steps: readonly EarlierStep[], index: number): EarlierStep[] {
  return steps.toSpliced(index, 1).toSpliced(index - 1, 0, ...steps.slice(index, index + 1));
}
