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

/** Of a field, or of a group of them. */
export type ValueProps<Value> = { value: Value; error?: string | undefined; onChange: (value: Value) => void };

/** A value is undefined for the default of the recipe. */
export type FieldProps = ValueProps<unknown> & { parameter: Parameter };

/** The description comes after the input, so that inputs side by side align. */
export const inputWrapperOrder: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
];
