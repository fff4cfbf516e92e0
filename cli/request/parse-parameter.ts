import type { ParameterSchema } from '../../core/recipes/parameters/parameter-schema.ts';
import { valueTypes } from './recipe-parameters.ts';

/**
 * What was typed as the value that a parameter may have: a number where numbers may be, JSON where lists or objects
 * may be, and a list with commas too. What is none of these stays the text it is, for the recipe to say what is wrong
 * with it.
 */
export function parseParameter(typed: string | boolean, schema: ParameterSchema): unknown {
  if (typeof typed === 'boolean') return typed;
  const types = valueTypes(schema);
  const isList = types.includes('array');
  if ((isList || types.includes('object')) && /^\s*[[{]/.test(typed)) return parseJsonOrText(typed);
  if (isList) return typed.split(',').map((one) => (isNumber(one) ? Number(one) : one));
  const takesNumbers = types.some((type) => type === 'number' || type === 'integer');
  return takesNumbers && isNumber(typed) ? Number(typed) : typed;
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);
}

/** The value that a text of JSON stands for, or else the text. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
