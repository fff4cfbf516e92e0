import { NativeSelect, Text, type TextProps } from '@mantine/core';
import type { RecipeDescription } from '../job/use-recipes.ts';
import { LongText } from '../ui/long-text.tsx';
import { plainText } from './parameter.ts';

type Props = {
  label: string;
  recipes: readonly RecipeDescription[];
  chosen: RecipeDescription;
  error: string | undefined;
  onChoose: (recipe: RecipeDescription) => void;
};

/** A list of recipes by title, with the description of the chosen one. */
export function RecipeSelect({ label, recipes, chosen, error, onChoose }: Props) {
  return (
    <>
      <NativeSelect
        label={label}
        value={chosen.name}
        data={recipes.map(({ name, title }) => ({ value: name, label: title }))}
        error={error}
        onChange={({ currentTarget }) => chooseByName(currentTarget.value, recipes, onChoose)}
      />
      <RecipeText recipe={chosen} />
    </>
  );
}

/** Chooses the recipe of a name. */
export function chooseByName(
  name: string,
  recipes: readonly RecipeDescription[],
  onChoose: (recipe: RecipeDescription) => void,
): void {
  const recipe = recipes.find((candidate) => candidate.name === name);
  if (recipe !== undefined) onChoose(recipe);
}

/** The description of a recipe. */
export function RecipeText({
  recipe: { name, title, description },
  ...props
}: TextProps & { recipe: RecipeDescription; role?: 'status' }) {
  return (
    <Text component="div" size="sm" c="dimmed" {...props}>
      <LongText key={name} what={`the description of ${title}`} maxCharacters={320}>
        {plainText(description)}
      </LongText>
    </Text>
  );
}
