import { Button } from '@mantine/core';
import { Section } from '../ui/section.tsx';
import { acceptsMultipleInputs, type Draft, type RecipeDescription, withRecipe } from './draft.ts';
import { addStep, canAddStep, newStep, stepRecipePath } from './draft-step.ts';
import { Parameters } from './parameters.tsx';
import { RecipePicker } from './recipe-picker.tsx';

type Props = {
  recipes: readonly RecipeDescription[];
  draft: Draft;
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

/** The recipe that makes the result: the only one, or the last of several. */
export function LastStep({ recipes, draft, problems, onChange }: Props) {
  const { earlierSteps, recipe } = draft;
  const [first] = recipes;
  const add = () => first && onChange({ earlierSteps: addStep(earlierSteps, newStep(first)) });
  const isLast = earlierSteps.length > 0;
  const mayAdd = canAddStep(earlierSteps) && !acceptsMultipleInputs(recipe);
  return (
    <>
      <Section
        title={isLast ? 'Last step' : 'Recipe'}
        actions={
          <Button variant="default" size="xs" disabled={!mayAdd} onClick={add}>
            Add a step before
          </Button>
        }
      >
        <RecipePicker
          recipes={isLast ? recipes.filter((one) => !acceptsMultipleInputs(one)) : recipes}
          chosen={recipe}
          onChoose={(chosen) => onChange(withRecipe(draft, chosen))}
        />
      </Section>
      <Section title={`${recipe.title} options`}>
        <Parameters
          step={draft}
          path={stepRecipePath(earlierSteps.length, earlierSteps.length + 1)}
          problems={problems}
          onChange={(parameters) => onChange({ parameters })}
        />
      </Section>
    </>
  );
}
