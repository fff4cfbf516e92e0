/** The label of every value up to `max`; the last of a list has no `max`. */
export type ValueLabel = { max?: number; label: string };

/** The keywords of JSON Schema that describe one parameter of a recipe, or the object of all parameters. */
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

/** Maximum length of a URL in a request. */
export const maxUrlCharacters = 2_048;
