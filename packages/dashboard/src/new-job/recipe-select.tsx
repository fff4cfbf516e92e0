import { NativeSelect, Text } from '@mantine/core';
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
  const choose = (name: string) => {
    const recipe = recipes.find((candidate) => candidate.name === name);
    if (recipe !== undefined) onChoose(recipe);
  };
  return (
    <>
      <NativeSelect
        label={label}
        value={chosen.name}
        data={recipes.map(({ name, title }) => ({ value: name, label: title }))}
        error={error}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Text component="div" size="sm" c="dimmed">
        <LongText key={chosen.name} what={`the description of ${chosen.title}`} maxCharacters={320}>
          {plainText(chosen.description)}
        </LongText>
      </Text>
    </>
  );
}
