/** The service broke a sentence of its specification; the message says what was found. */
export class ClauseViolation extends Error {}

/** @throws Broken with what was found instead, where the condition does not hold */
export function expect(holds: boolean, found: string): asserts holds {
  if (!holds) throw new ClauseViolation(found);
}

/** The types that the specification gives to fields. */
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

/** The field at a path such as `error.code`; undefined where there is none. */
export function fieldAt(record: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), record);
}

/** The field at a path, which must be of this kind; a string must not be empty. */
export function expectField<K extends keyof Kinds>(record: unknown, path: string, kind: K): Kinds[K] {
  const value = fieldAt(record, path);
  expect(isOf[kind](value), `${path} is ${formatValue(value)}, which is no ${kind}`);
  return value as Kinds[K];
}

/** @throws Broken with what is there, where there is a field at the path */
export function expectNoField(record: unknown, path: string): void {
  const value = fieldAt(record, path);
  expect(value === undefined, `${path} is there: ${formatValue(value)}`);
}

/** @throws Broken with both values, where they are not the same as JSON; `what` names the first for the sentence */
export function expectEqual(found: unknown, expected: unknown, what: string): void {
  expect(
    JSON.stringify(found) === JSON.stringify(expected),
    `${what} is ${formatValue(found)}, not ${formatValue(expected)}`,
  );
}

/** A value for a sentence, cut where it would be long. */
export function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isOf.object(value);
}
