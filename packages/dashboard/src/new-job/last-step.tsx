import { Button, Group, Radio, Text, VisuallyHidden } from '@mantine/core';
import { recipeLine, recipesByGoal } from '@media-jobs/cli/formatting';
import { maxOutputs } from '@media-jobs/core/api';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { LongText } from '../ui/long-text.tsx';
import { Section } from '../ui/section.tsx';
import { acceptsMultipleInputs, addOutput, addStep, canAddStep, mainRecipePath, newStep, withRecipe } from './draft.ts';
import type { RecipeSectionProps } from './field-props.ts';
import classes from './new-job.module.css';
import type { KnownSource } from './original-media.ts';
import { plainText } from './parameter.ts';
import { Parameters } from './parameters.tsx';
import { hasHandles, SourcePreview } from './source-preview.tsx';

/** The recipe of the only or last step, with its parameters. */
export function LastStep({
  recipes,
  draft,
  known,
  problems,
  onChange,
}: RecipeSectionProps & { known: KnownSource | undefined }) {
  const { earlierSteps, outputs, recipe } = draft;
  const [first] = recipes;
  const add = () => first && onChange({ earlierSteps: addStep(earlierSteps, newStep(first)) });
  const isLast = earlierSteps.length > 0;
  const canAdd = canAddStep(earlierSteps) && !acceptsMultipleInputs(recipe) && outputs.length === 0;
  const canAddOutput = earlierSteps.length === 0 && outputs.length + 1 < maxOutputs && !acceptsMultipleInputs(recipe);
  return (
    <>
      <Section
        title={isLast ? 'Last step' : 'Recipe'}
        actions={
          <Group gap="xs">
            <Button variant="default" size="xs" disabled={!canAdd} onClick={add}>
              Add a step before
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={!canAddOutput}
              onClick={() => first && onChange({ outputs: addOutput(draft, first) })}
            >
              Add output
            </Button>
          </Group>
        }
      >
        <RecipePicker
          recipes={isLast || outputs.length > 0 ? recipes.filter((known) => !acceptsMultipleInputs(known)) : recipes}
          chosen={recipe}
          onChoose={(chosen) => onChange(withRecipe(draft, chosen))}
        />
      </Section>
      <Section title={`${recipe.title} options`}>
        {hasHandles(draft) ? <SourcePreview draft={draft} known={known} onChange={onChange} /> : null}
        <Parameters
          step={draft}
          path={mainRecipePath(draft)}
          problems={problems}
          onChange={(parameters) => onChange({ parameters })}
        />
      </Section>
    </>
  );
}

type RecipePickerProps = {
  recipes: readonly RecipeDescription[];
  chosen: RecipeDescription;
  onChoose: (recipe: RecipeDescription) => void;
};

function RecipePicker({ recipes, chosen, onChoose }: RecipePickerProps) {
  const choose = (name: string) => {
    const recipe = recipes.find((candidate) => candidate.name === name);
    if (recipe !== undefined) onChoose(recipe);
  };
  return (
    <>
      <Radio.Group value={chosen.name} onChange={choose} label={<VisuallyHidden>Recipe</VisuallyHidden>}>
        {recipesByGoal(recipes).map((goal) => (
          <div key={goal.title} className={classes.goal}>
            <Text size="sm" fw={600} mb={6}>
              {goal.title}
            </Text>
            <div className={classes.recipes}>
              {goal.recipes.map((recipe) => (
                <Radio.Card
                  key={recipe.name}
                  value={recipe.name}
                  aria-label={recipe.title}
                  aria-description={recipeLine(recipe)}
                  // One Tab stop for the group, as for native radio buttons; the arrow keys move within it.
                  tabIndex={recipe.name === chosen.name ? 0 : -1}
                  className={classes.recipe}
                >
                  {recipe.title}
                  <span className={classes.line}>{recipeLine(recipe)}</span>
                </Radio.Card>
              ))}
            </div>
          </div>
        ))}
      </Radio.Group>
      <Text component="div" size="sm" c="dimmed" mt="md" mih={42} role="status">
        <LongText key={chosen.name} what={`the description of ${chosen.title}`} maxCharacters={320}>
          {plainText(chosen.description)}
        </LongText>
      </Text>
    </>
  );
}
