import { Button } from '@mantine/core';
import { Section } from '../shell/section.tsx';
import { type Draft, type RecipeDescription, takesSeveral, withRecipe } from './draft.ts';
import { mayHaveMore, newStep, pathOfStep, withStep } from './draft-step.ts';
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
  const { before, recipe } = draft;
  const [first] = recipes;
  const add = () => first && onChange({ before: withStep(before, newStep(first)) });
  const isLast = before.length > 0;
  const mayAdd = mayHaveMore(before) && !takesSeveral(recipe);
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
          recipes={isLast ? recipes.filter((one) => !takesSeveral(one)) : recipes}
          chosen={recipe}
          onChoose={(chosen) => onChange(withRecipe(draft, chosen))}
        />
      </Section>
      <Section title={`${recipe.title} options`}>
        <Parameters
          step={draft}
          path={pathOfStep(before.length, before.length + 1)}
          problems={problems}
          onChange={(parameters) => onChange({ parameters })}
        />
      </Section>
    </>
  );
}
