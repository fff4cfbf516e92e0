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
  if (type === 'object') return objectShape(schema);
  if (type === 'array') return isLanguageFile(schema.items) ? 'language=file,...' : 'list';
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  if (isBounded) return `${minimum}..${maximum}`;
  return type;
}

/** How the text of an option is written, if a text may have another form than its schema takes. */
export function valueForm(schema: ParameterSchema): string | undefined {
  if (isLanguageFile(schema.items)) return 'language=file, such as en=talk.en.vtt';
  const types = valueTypes(schema);
  if (types.includes('object')) {
    return `key=value, such as ${Object.keys(schema.properties ?? {})[0] ?? 'key'}=value, or JSON`;
  }
  return types.includes('number') ? 'a number, such as 83.5' : undefined;
}

/** The fields of an object as JSON with their values; `?` marks those that may be left out. */
function objectShape({ properties = {}, required = [] }: ParameterSchema): string {
  const fields = Object.entries(properties).map(
    ([name, { const: only }]) =>
      `"${name}"${required.includes(name) ? '' : '?'}:${only === undefined ? '…' : `"${only}"`}`,
  );
  return `{${fields.join(',')}}`;
}

/** Whether the items of a list are files, each with its language. */
export function isLanguageFile(items: ParameterSchema | undefined): boolean {
  const { language, url } = items?.properties ?? {};
  return language !== undefined && url !== undefined;
}
