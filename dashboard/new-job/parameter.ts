import type { ParameterSchema } from '../../core/recipes/parameters/parameter-schema.ts';
import { labelFromName } from '../format/labels.ts';

/** What a form needs to know of one parameter, read from a recipe's JSON Schema. */
export type Parameter = {
  name: string;
  label: string;
  description: string;
  kind: 'slider' | 'number' | 'choice' | 'switch' | 'url' | 'text' | 'list' | 'json';
  defaultValue: unknown;
  /** Of a choice, as the API takes them. */
  choices: readonly unknown[];
  minimum: number | undefined;
  maximum: number | undefined;
  step: number;
  /** Whether a text that reads as a number is one: `at` may be 12.5 or best. */
  acceptsNumbers: boolean;
  required: boolean;
};

/** Wider ranges are easier typed than dragged. */
const mostSliderWidth = 100;

/** The parameters of a recipe, in the order in which it declares them. */
export function parametersFromSchema(recipeSchema: Record<string, unknown>): Parameter[] {
  const { properties = {}, required = [] } = recipeSchema as ParameterSchema;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    label: labelFromName(name),
    // Written for documents that know Markdown.
    description: (schema.description ?? '').replaceAll('`', ''),
    kind: kindOf(name, schema),
    defaultValue: schema.default,
    choices: choicesOf(schema) ?? [],
    minimum: schema.minimum,
    maximum: schema.maximum,
    step: stepOf(schema),
    acceptsNumbers: [schema.items ?? schema, ...(schema.anyOf ?? [])].some(isNumber),
    required: required.includes(name),
  }));
}

function kindOf(name: string, schema: ParameterSchema): Parameter['kind'] {
  const { type, format, items, anyOf } = schema;
  if (choicesOf(schema) !== undefined) return 'choice';
  if (type === 'boolean') return 'switch';
  if (isNumber(schema)) return isDragged(schema) ? 'slider' : 'number';
  if (type === 'string') return format === 'uri' || /url$/i.test(name) ? 'url' : 'text';
  if (type === 'array' && items !== undefined && isScalar(items)) return 'list';
  return anyOf?.every(isScalar) ? 'text' : 'json';
}

/** The values of which one is to be chosen: of an enumeration, or of alternatives that are each one value. */
function choicesOf({ enum: values, const: only, anyOf }: ParameterSchema): readonly unknown[] | undefined {
  if (values !== undefined) return values;
  if (only !== undefined) return [only];
  const each = anyOf?.map(choicesOf);
  return each?.every((one) => one !== undefined) ? each.flat() : undefined;
}

function isNumber({ type }: ParameterSchema): boolean {
  return type === 'number' || type === 'integer';
}

function isScalar(schema: ParameterSchema): boolean {
  return schema.type === 'string' || isNumber(schema);
}

/** A range that is narrow, and whose steps are round numbers. */
function isDragged(schema: ParameterSchema): boolean {
  const { minimum, maximum } = schema;
  if (minimum === undefined || maximum === undefined || maximum - minimum > mostSliderWidth) return false;
  const steps = minimum / stepOf(schema);
  return Math.abs(steps - Math.round(steps)) < 1e-9;
}

/** Fine enough to choose, coarse enough to hit: about a hundred steps, and whole numbers where fractions mean little. */
function stepOf({
  type,
  minimum = 0,
  maximum = Number.POSITIVE_INFINITY,
  multipleOf,
}: ParameterSchema): number {
  if (multipleOf !== undefined) return multipleOf;
  if (type === 'integer' || maximum - minimum > 30) return 1;
  if (maximum - minimum > 5) return 0.5;
  return maximum - minimum > 1.5 ? 0.05 : 0.01;
}
