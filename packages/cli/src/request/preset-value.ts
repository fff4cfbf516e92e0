import type { ParameterSchema } from '@media-jobs/video/recipes';
import { parseJsonOrText, parseParameter } from './parse-parameter.ts';

type Preset = {
  request: Record<string, unknown>;
  /** The JSON Schema of the parameters of a recipe. */
  schemaOf: (recipe: string) => ParameterSchema | undefined;
};

/**
 * The value of a parameter of a preset that a text means: by the schema of its recipe, else by what the preset has there;
 * so `1080` is a number, or the text of a parameter that takes text.
 */
export function parsePresetValue({ request, schemaOf }: Preset, path: string, text: string): unknown {
  let value: unknown = request;
  let schema: ParameterSchema | undefined;
  for (const name of path.split('.')) {
    value = isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    schema = schema?.properties?.[name];
    const recipe = name === 'recipe' && isObject(value) ? Reflect.get(value, 'name') : undefined;
    if (typeof recipe === 'string') schema = schemaOf(recipe);
  }
  if (schema !== undefined) return parseParameter(text, schema);
  return typeof value === 'string' ? text : parseJsonOrText(text);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
