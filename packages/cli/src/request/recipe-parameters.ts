import type { ParameterSchema, Recipe } from '@media-jobs/video/recipes';
import * as z from 'zod';

export type Parameter = { name: string; schema: ParameterSchema; isRequired: boolean };

/** The parameters of a recipe, in declaration order. */
export function recipeParameters({ parameters }: Recipe): Parameter[] {
  const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: schema as ParameterSchema,
    isRequired: required.includes(name),
  }));
}

/** JSON types that the schema allows. */
export function valueTypes({ type, enum: choices, const: only, anyOf }: ParameterSchema): string[] {
  if (anyOf !== undefined) return anyOf.flatMap(valueTypes);
  if (type !== undefined) return [type];
  return (choices ?? [only]).map((choice) => typeof choice);
}

/** Allowed values as text: `1..51`, `horizontal|vertical`, `number|best`. */
export function formatAllowedValues(schema: ParameterSchema): string {
  const { type = 'value', enum: choices, const: only, minimum, maximum, anyOf } = schema;
  if (anyOf !== undefined) return anyOf.map(formatAllowedValues).join('|');
  if (choices !== undefined) return choices.join('|');
  if (only !== undefined) return String(only);
  if (type === 'object') return 'json';
  if (type === 'array') return 'list';
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return `${minimum}..${maximum}`;
  return type;
}
