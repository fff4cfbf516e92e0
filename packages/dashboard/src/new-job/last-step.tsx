import { Box, Button, Radio, Text, VisuallyHidden } from '@mantine/core';
import { recipeLine, recipesByGoal } from '@media-jobs/cli/formatting';
import { Section } from '../ui/section.tsx';
import { acceptsMultipleInputs, addStep, canAddStep, mainRecipePath, newStep, withRecipe } from './draft.ts';
import type { RecipeSectionProps } from './field-props.ts';
import { NameInput } from './further-outputs.tsx';
import classes from './new-job.module.css';
import type { KnownSource } from './original-media.ts';
import { RecipeFields } from './recipe-fields.tsx';
import { chooseByName, type RecipeChoice, RecipeText } from './recipe-select.tsx';
import { hasHandles, SourcePreview } from './source-preview.tsx';
import { nameField } from './validate-draft.ts';

type LastStepProps = RecipeSectionProps & { known: KnownSource | undefined };

/** The recipe of the only or last step, with its parameters. */
export function LastStep({ recipes, draft, known, problems, onChange }: LastStepProps) {
  const { earlierSteps, outputs, name, recipe } = draft;
  const isOneOfSeveral = outputs.length > 0;
  const [first] = recipes;
  const add = () => first && onChange({ earlierSteps: addStep(earlierSteps, newStep(first)) });
  const isLast = earlierSteps.length > 0;
  const canAdd = canAddStep(earlierSteps) && !acceptsMultipleInputs(recipe) && outputs.length === 0;
  return (
    <>
      <Section
        title={isLast ? 'Last step' : 'Recipe'}
        actions={
          <Button variant="default" size="xs" disabled={!canAdd} onClick={add}>
            Add a step before
          </Button>
        }
      >
        <RecipePicker
          recipes={isLast || isOneOfSeveral ? recipes.filter((known) => !acceptsMultipleInputs(known)) : recipes}
          chosen={recipe}
          onChoose={(chosen) => onChange(withRecipe(draft, chosen))}
        />
      </Section>
      <Section title={isOneOfSeveral ? `Output 1: ${recipe.title}` : `${recipe.title} options`}>
        {isOneOfSeveral ? (
          <NameInput value={name} error={problems[nameField(0)]} onChange={(next) => onChange({ name: next })} />
        ) : null}
        {hasHandles(draft) ? <SourcePreview draft={draft} known={known} onChange={onChange} /> : null}
        <RecipeFields
          output={draft}
          isOneOfSeveral={isOneOfSeveral}
          path={mainRecipePath(draft)}
          problems={problems}
          onChange={onChange}
        />
      </Section>
    </>
  );
}

function RecipePicker(choice: RecipeChoice) {
  const { recipes, chosen } = choice;
  return (
    <>
      <Radio.Group
        value={chosen.name}
        onChange={(name) => chooseByName(name, choice)}
        label={<VisuallyHidden>Recipe</VisuallyHidden>}
        labelProps={{ style: { position: 'absolute' } }}
      >
        {recipesByGoal(recipes).map((goal, index) => (
          <Box key={goal.title} mt={index === 0 ? 0 : 16}>
            <Text size="sm" fw={600} mb={6}>
              {goal.title}
            </Text>
            <Box display="grid" style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(176px, 1fr))', gap: 8 }}>
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
                  <Text span display="block" mt={2} c="dimmed" fz={12} fw={400} lh={1.35}>
                    {recipeLine(recipe)}
                  </Text>
                </Radio.Card>
              ))}
            </Box>
          </Box>
        ))}
      </Radio.Group>
      <RecipeText recipe={chosen} mt="md" mih={42} role="status" />
    </>
  );
}
