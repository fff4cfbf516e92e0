import type * as z from 'zod';
import { invalidRequest } from '../errors.ts';

/**
 * A copy of a request without the fields that are null, if they are optional and null is none of their values: such a field
 * is as if left out. Required and unknown fields stay, so that their errors tell what was found.
 */
export function leaveOutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const definition = (schema as z.core.$ZodTypes)._zod.def;
  switch (definition.type) {
    case 'object':
      return mapFields(value, (name, field) => {
        const declared = Object.hasOwn(definition.shape, name) ? definition.shape[name] : undefined;
        if (declared === undefined) return field;
        const accepts = (sent: unknown) => (declared as z.ZodType).safeParse(sent).success;
        const isLeftOut = field === null && accepts(undefined) && !accepts(null);
        return isLeftOut ? undefined : leaveOutNulls(declared, field);
      });
    case 'record':
      return mapFields(value, (_, field) => leaveOutNulls(definition.valueType, field));
    case 'array':
      return Array.isArray(value) ? value.map((item) => leaveOutNulls(definition.element, item)) : value;
    default: {
      const inner = innerSchema(definition, value);
      return inner === undefined ? value : leaveOutNulls(inner, value);
    }
  }
}

/** The schema that a wrapper has for a value; of a discriminated union, the variant that the value names. */
function innerSchema(definition: z.core.$ZodTypes['_zod']['def'], value: object): z.core.$ZodType | undefined {
  switch (definition.type) {
    case 'union': {
      const { discriminator } = definition as z.core.$ZodDiscriminatedUnionDef;
      const named = Reflect.get(value, discriminator);
      return definition.options.find((option) => option._zod.propValues?.[discriminator]?.has(named));
    }
    case 'lazy':
      return definition.getter();
    case 'pipe':
      return definition.in;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return definition.innerType;
    default:
      return undefined;
  }
}

function mapFields(value: object, map: (name: string, field: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, map(name, field)] as const);
  return Object.fromEntries(fields.filter(([, field]) => field !== undefined));
}

/** Each value at any depth, with its path behind a dot, and its depth. Iterative, because the depth is unbounded. */
export function* valuesIn(body: unknown): Iterable<[path: string, value: unknown, depth: number]> {
  const pending: [path: string, value: unknown, depth: number][] = [['', body, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next;
    const [path, value, depth] = next;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) pending.push([`${path}.${key}`, inner, depth + 1]);
  }
}

/** The smallest number of a request but 0, positive or negative. DynamoDB stores none below 1e-130. */
const minMagnitude = 1e-9;

/** The table stores 32 levels. Every request has fewer than these, and code that reads one calls itself for each level. */
const maxDepth = 24;

/**
 * Rejects JSON that the table does not store as it is, where a schema takes any value. Throws AppError VALIDATION_ERROR with the
 * first such value.
 */
export function assertStorable(body: unknown): void {
  for (const [path, value, depth] of valuesIn(body)) {
    const message = depth > maxDepth ? `Must not be nested in more than ${maxDepth} levels` : problemOf(value);
    if (message !== undefined) throw invalidRequest([{ path: path.slice(1) || 'body', message }]);
  }
}

/** The client of the table writes no number above the largest safe integer, and half of a surrogate pair as U+FFFD. */
function problemOf(value: unknown): string | undefined {
  if (typeof value === 'number') {
    const magnitude = Math.abs(value);
    if (magnitude === 0 || (magnitude >= minMagnitude && magnitude <= Number.MAX_SAFE_INTEGER)) return undefined;
    return `Must be 0, or have a magnitude from ${minMagnitude} to ${Number.MAX_SAFE_INTEGER}`;
  }
  const texts = typeof value === 'object' ? Object.keys(value ?? {}) : [String(value)];
  if (texts.every((text) => text.isWellFormed())) return undefined;
  return 'Must be valid Unicode, without half of a surrogate pair';
}
