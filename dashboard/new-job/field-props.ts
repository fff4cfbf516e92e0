import type { Parameter } from './parameter.ts';

/** What the control of a parameter is given. */
export type FieldProps = {
  parameter: Parameter;
  /** Undefined: left to the recipe. */
  value: unknown;
  error: string | undefined;
  onChange: (value: unknown) => void;
};

/** What a control consists of: what it is for comes after it, so that controls beside each other stand in line. */
export const inputWrapperOrder: ('label' | 'input' | 'error' | 'description')[] = [
  'label',
  'input',
  'error',
  'description',
];
