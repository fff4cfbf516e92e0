import type { RecipeDescription } from '../job/use-recipes.ts';
import type { Draft } from './draft.ts';
import type { Parameter } from './parameter.ts';

export type SectionProps = {
  draft: Draft;
  /** The problem of each field, by its path in the request. */
  problems: Record<string, string>;
  onChange: (changes: Partial<Draft>) => void;
};

export type RecipeSectionProps = SectionProps & { recipes: readonly RecipeDescription[] };

export type FieldProps = {
  parameter: Parameter;
  /** Undefined for the default of the recipe. */
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
};

/** The description comes after the input, so that inputs side by side align. */
export const inputWrapperOrder: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
];
