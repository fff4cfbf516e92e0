import { Radio, SimpleGrid, Text } from '@mantine/core';
import type { RecipeDescription } from './draft.ts';
import classes from './new-job.module.css';

type Props = {
  recipes: readonly RecipeDescription[];
  chosen: RecipeDescription;
  onChoose: (recipe: RecipeDescription) => void;
};

/** One recipe of many, each with its sentence. */
export function RecipePicker({ recipes, chosen, onChoose }: Props) {
  const choose = (name: string) => {
    const recipe = recipes.find((one) => one.name === name);
    if (recipe !== undefined) onChoose(recipe);
  };
  return (
    <Radio.Group value={chosen.name} onChange={choose} aria-label="Recipe">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs">
        {recipes.map(({ name, title, description }) => (
          <Radio.Card key={name} value={name} className={classes.recipe}>
            <Text size="sm" fw={600} component="span">
              {title}
            </Text>
            <Text size="xs" c="dimmed" component="span" lineClamp={3}>
              {description}
            </Text>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
