import type { ParameterSchema } from '@media-jobs/video/recipes';
import { isLanguageFile, valueTypes } from './recipe-parameters.ts';

/**
 * Converts an option value to a type that the schema allows: number, list (with commas or as JSON) or object (JSON, or
 * `key=value`, several on lines of their own).
 * Any other text stays a string, so that the schema of the recipe reports what is wrong.
 */
export function parseParameter(value: string | boolean, schema: ParameterSchema): unknown {
  if (typeof value === 'boolean') return value;
  const types = valueTypes(schema);
  const isList = types.includes('array');
  if ((isList || types.includes('object')) && /^\s*[[{]/.test(value)) return parseJsonOrText(value);
  const pairs = value.split(repeated).map((item) => /^(\w+)=(.*)$/s.exec(item));
  if (types.includes('object') && !pairs.includes(null)) {
    return Object.fromEntries(pairs.map((pair) => [pair?.[1], pair?.[2]]));
  }
  const items = value.split(value.includes(repeated) ? repeated : ',').map((item) => item.trim());
  if (isList) return items.map((item) => parseItem(item, schema));
  const allowsNumber = types.some((type) => type === 'number' || type === 'integer');
  return allowsNumber && isNumber(value) ? Number(value) : value;
}

/** Between the values of an option that is given several times. */
const repeated = '\n';

/** A file with its language is `language=file`, such as `en=captions.srt`. */
function parseItem(item: string, { items }: ParameterSchema): unknown {
  const [, language, url] = /^([A-Za-z-]+)=(.+)$/s.exec(item) ?? [];
  if (isLanguageFile(items) && url !== undefined) return { language, url };
  return isNumber(item) ? Number(item) : item;
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text);
}

/** Parses JSON. Invalid JSON is returned as text. */
export function parseJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Collects the values of an option that may be given several times. */
export function collectItems(text: string, before?: string): string {
  return before === undefined ? text : `${before}${repeated}${text}`;
}
