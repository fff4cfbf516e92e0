import { NativeSelect, Text, type TextProps } from '@mantine/core';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { LongText } from '../ui/long-text.tsx';
import { typed } from '../ui/typed.ts';
import { plainText } from './parameter.ts';

export type RecipeChoice = {
  recipes: readonly RecipeDescription[];
  chosen: RecipeDescription;
  onChoose: (recipe: RecipeDescription) => void;
};

/** A list of recipes by title, with the description of the chosen one. */
export function RecipeSelect({ label, error, ...choice }: RecipeChoice & { label: string; error: string | undefined }) {
  const { recipes, chosen } = choice;
  return (
    <>
      <NativeSelect
        label={label}
        data={recipes.map(({ name, title }) => ({ value: name, label: title }))}
        error={error}
        {...typed(chosen.name, (name) => chooseByName(name, choice))}
      />
      <RecipeText recipe={chosen} />
    </>
  );
}

/** Chooses the recipe of a name. */
export function chooseByName(name: string, { recipes, onChoose }: RecipeChoice): void {
  const recipe = recipes.find((candidate) => candidate.name === name);
  if (recipe !== undefined) onChoose(recipe);
}

type RecipeTextProps = TextProps & { recipe: RecipeDescription; role?: 'status' };

/** The description of a recipe. */
export function RecipeText({ recipe: { name, title, description }, ...props }: RecipeTextProps) {
  return (
    <Text component="div" size="sm" c="dimmed" {...props}>
      <LongText key={name} what={`the description of ${title}`} maxCharacters={320}>
        {plainText(description)}
      </LongText>
    </Text>
  );
}
