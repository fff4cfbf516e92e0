import * as z from 'zod';

const matcher = z.union([
  z.string(),
  z.number(),
  z.boolean(),
  z.null(),
  z.strictObject({ prefix: z.string() }),
  z.strictObject({ suffix: z.string() }),
  z.strictObject({ exists: z.boolean() }),
]);

type Matcher = z.output<typeof matcher>;

/** An event pattern of EventBridge, with the matchers that are supported here. */
export type EventPattern = { [field: string]: EventPattern | Matcher[] };

export const eventPatternSchema: z.ZodType<EventPattern> = z.record(
  z.string(),
  z.union([
    z.array(matcher, 'only values, prefix, suffix and exists are supported here'),
    z.lazy(() => eventPatternSchema),
  ]),
);

/** Whether an event has each field of a pattern (Amazon EventBridge User Guide, "Event patterns"). */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  return Object.entries(pattern).every(([field, expected]) => {
    const value = (Object(event) as Record<string, unknown>)[field];
    if (!Array.isArray(expected)) return matchesPattern(expected, value);
    return expected.some((one) => [value].flat().some((each) => matches(one, each)));
  });
}

function matches(expected: Matcher, value: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return expected === value;
  if ('exists' in expected) return expected.exists === (value !== undefined);
  if (typeof value !== 'string') return false;
  return 'prefix' in expected ? value.startsWith(expected.prefix) : value.endsWith(expected.suffix);
}
