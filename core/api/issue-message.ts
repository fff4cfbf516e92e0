import type * as z from 'zod';
import type { ErrorDetail } from '../errors.ts';

const maxShownCharacters = 40;

/**
 * The message for a value that a schema rejects, in place of zod's: what is expected, then what was found. Of a value only
 * the type is named, because it may be a secret; a value that should be one of a list is shown. Pass it to a parse as its
 * `error`: messages of a schema come first.
 */
export function issueMessage(issue: z.core.$ZodRawIssue): string | undefined {
  const expected = expectation(issue);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? ['Required', exampleOf(issue)].filter(Boolean).join(': ')
        : `Must be ${[expected, exampleOf(issue)].filter(Boolean).join(', such as ')}${foundType(issue)}`;
    case 'invalid_value':
      return choiceMessage(expected, issue.input);
    case 'invalid_union':
      return unionMessage(issue);
    case 'unrecognized_keys':
      return ['Unknown field', parametersOf(issue)].filter(Boolean).join('; the recipe has ');
    case 'too_small':
    case 'too_big':
      return `Must ${issue.origin in units ? 'have' : 'be'} ${expected}`;
    default:
      return expected && `Must be ${expected}`;
  }
}

/** The forms of the objects of a request, in whose place callers send a text. */
export const objectExamples = {
  input: '{ "url": "https://example.com/video.mp4" }',
  output: '{ "format": "mp4" }',
  recipe: '{ "name": "compress" }',
} as const;

function exampleOf({
  path = [],
  expected,
}: Extract<z.core.$ZodRawIssue, { code: 'invalid_type' }>): string | undefined {
  const examples: Readonly<Record<string, string>> = objectExamples;
  return expected === 'object' ? examples[String(path.at(-1))] : undefined;
}

/** The parameters of the recipe that an issue is about, such as `start, end`. */
function parametersOf({ path = [], inst }: Extract<z.core.$ZodRawIssue, { code: 'unrecognized_keys' }>): string {
  const { shape = {} } = path.at(-1) === 'recipe' ? ((inst as z.core.$ZodObject)?._zod.def ?? {}) : {};
  return Object.keys(shape)
    .filter((name) => name !== 'name')
    .join(', ');
}

/** What a valid value is, such as `a number`, `one of mp4, mov` or `at most 51`. */
function expectation(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected === 'int' ? 'a whole number' : withArticle(issue.expected);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'too_small':
      return bound(issue.inclusive === false ? 'more than' : 'at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound(issue.inclusive === false ? 'less than' : 'at most', issue.maximum, issue.origin);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formats[issue.format];
    default:
      return undefined;
  }
}

const formats: Readonly<Record<string, string>> = {
  url: 'a URL, such as https://example.com/file',
  date: 'a date, such as 2026-03-01',
  uuid: 'a UUID',
};

type UnionIssue = Extract<z.core.$ZodRawIssue, { code: 'invalid_union' }>;

/** Of a discriminated union the field that selects the variant is wrong; of another none of its variants fits. */
function unionMessage({ discriminator, options, errors, input }: UnionIssue): string | undefined {
  if (typeof discriminator === 'string' && Array.isArray(options)) {
    const found = typeof input === 'object' && input !== null ? Reflect.get(input, discriminator) : undefined;
    return choiceMessage(oneOf(options), found);
  }
  const variants = (errors ?? []).map(([first]) => first && first.path.length === 0 && expectation(first));
  return variants.every(Boolean) ? choiceMessage([...new Set(variants)].join(' or '), input) : undefined;
}

function oneOf(values: readonly unknown[]): string {
  return values.length === 1 ? JSON.stringify(values[0]) : `one of ${values.map(String).join(', ')}`;
}

function choiceMessage(expected: string | undefined, found: unknown): string {
  return found === undefined ? `Required: ${expected}` : `Must be ${expected}; found ${shown(found)}`;
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'item', record: 'pair' };

function bound(relation: string, value: number | bigint | Date, origin: string): string {
  const unit = units[origin];
  if (unit === undefined) return `${relation} ${value}`;
  return `${relation} ${value} ${value === 1 ? unit : `${unit}s`}`;
}

function foundType({ expected, input }: Extract<z.core.$ZodRawIssue, { code: 'invalid_type' }>): string {
  return expected === 'int' && typeof input === 'number' ? '' : `; found ${typeName(input)}`;
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) return typeName(value);
  return (JSON.stringify(value) ?? typeName(value)).slice(0, maxShownCharacters);
}

function typeName(value: unknown): string {
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return String(value);
  return Array.isArray(value) ? 'an array' : withArticle(typeof value);
}

/** JSON has objects, where zod has records too. */
function withArticle(type: string): string {
  if (type === 'record') return 'an object';
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}

const maxPathCharacters = 100;

/** The details of an issue, one for each field. `prefix` precedes their paths. */
export function issueDetails(issue: z.core.$ZodIssue, prefix?: string): ErrorDetail[] {
  const pathOf = (path: PropertyKey[]) => {
    const segments = [...(prefix === undefined ? [] : [prefix]), ...path];
    return segments.map(String).join('.').slice(0, maxPathCharacters) || 'body';
  };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: issue.message }));
  }
  return [{ path: pathOf(issue.path), message: issue.message }];
}
