import type { Parameter } from './parameter.ts';

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
