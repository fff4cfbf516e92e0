import type { InputWrapperProps } from '@mantine/core';
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
export const inputWrapperOrder: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'error', 'description'];

type Values = Readonly<Record<string, unknown>>;

/** A copy of values with one of them set, or removed by undefined. */
export function withValue(values: Values, name: string, value: unknown): Record<string, unknown> {
  const { [name]: _, ...others } = values;
  return value === undefined ? others : { ...others, [name]: value };
}

/** Values, undefined if there are none. */
export function ifAny<Some extends object>(values: Some): Some | undefined {
  return Object.keys(values).length === 0 ? undefined : values;
}
