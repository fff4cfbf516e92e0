/** The service violates a sentence of the specification. The message says what was found. */
export class ClauseViolation extends Error {}

/** @throws ClauseViolation with what was found, unless the condition is true */
export function expect(condition: boolean, found: string): asserts condition {
  if (!condition) throw new ClauseViolation(found);
}

/** Field types of the specification. */
type Kinds = {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  object: Record<string, unknown>;
};

const isOf: Record<keyof Kinds, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string' && value !== '',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** The value at a path such as `error.code`, or undefined. */
export function fieldAt(record: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record);
}

/** Expects a field of this type at a path. A string must not be empty. */
export function expectField<K extends keyof Kinds>(record: unknown, path: string, kind: K): Kinds[K] {
  const value = fieldAt(record, path);
  expect(isOf[kind](value), `${path} is ${formatValue(value)}, expected ${kind}`);
  return value as Kinds[K];
}

/** @throws ClauseViolation if there is a field at the path */
export function expectNoField(record: unknown, path: string): void {
  const value = fieldAt(record, path);
  expect(value === undefined, `${path} is there: ${formatValue(value)}`);
}

/** @throws ClauseViolation unless both values are equal as JSON; `what` describes the first in the message */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  expect(
    JSON.stringify(found) === JSON.stringify(expected),
    `${what} is ${formatValue(found)}, not ${formatValue(expected)}`,
  );
}

/** A value as JSON for a message, truncated at 200 characters. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isOf.object(value);
}
