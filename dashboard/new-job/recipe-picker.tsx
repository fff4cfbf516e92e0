import { Radio, Text } from '@mantine/core';
import type { RecipeDescription } from './draft.ts';
import classes from './new-job.module.css';

type Props = {
  recipes: readonly RecipeDescription[];
  chosen: RecipeDescription;
  onChoose: (recipe: RecipeDescription) => void;
};

/** All recipes at one look, by their titles, and what the chosen one does. */
export function RecipePicker({ recipes, chosen, onChoose }: Props) {
  const choose = (name: string) => {
    const recipe = recipes.find((one) => one.name === name);
    if (recipe !== undefined) onChoose(recipe);
  };
  return (
    <>
      <Radio.Group value={chosen.name} onChange={choose} aria-label="Recipe">
        <div className={classes.recipes}>
          {recipes.map(({ name, title, description }) => (
            <Radio.Card key={name} value={name} title={description} className={classes.recipe}>
              {title}
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <Text size="sm" c="dimmed" mt="md" mih={42} role="status">
        {chosen.description}
      </Text>
    </>
  );
}
