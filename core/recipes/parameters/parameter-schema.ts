/** The label of every value up to `max`; the last of a list has no `max`. */
export type ValueLabel = { max?: number; label: string };

/** What of JSON Schema the parameters of a recipe are described in: those together, or one of them. */
export type ParameterSchema = {
  type?: string;
  format?: string;
  description?: string;
  default?: unknown;
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  anyOf?: readonly ParameterSchema[];
  items?: ParameterSchema;
  properties?: Record<string, ParameterSchema>;
  required?: readonly string[];
  'x-value-labels'?: readonly ValueLabel[];
};
