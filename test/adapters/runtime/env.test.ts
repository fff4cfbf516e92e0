import { expect, it, vi } from 'vitest';
import * as z from 'zod';
import { readEnv } from '../../../adapters/runtime/env.ts';
import { jsonText } from '../../../core/json-text.ts';

const schema = z.object({
  TABLE_NAME: z.string(),
  RETENTION_DAYS: z.coerce.number().int().min(1),
  OWNER_LIMITS: jsonText(z.strictObject({ maxKeys: z.int() })),
});

function readWith(variables: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  try {
    return readEnv(schema);
  } finally {
    vi.unstubAllEnvs();
  }
}

it('the environment of a function is parsed, with the JSON in it', () => {
  const variables = { TABLE_NAME: 'jobs', RETENTION_DAYS: '30', OWNER_LIMITS: '{"maxKeys":5}' };
  expect(readWith(variables)).toEqual({ TABLE_NAME: 'jobs', RETENTION_DAYS: 30, OWNER_LIMITS: { maxKeys: 5 } });
});

it.each([
  ['{"maxKeys":', 'OWNER_LIMITS: Must be JSON'],
  ['{"maxKeys":"5"}', 'OWNER_LIMITS.maxKeys: Must be a number; found a string'],
])('every invalid variable is named, also one with the JSON %s', (limits, problem) => {
  const read = () => readWith({ TABLE_NAME: undefined, RETENTION_DAYS: '0', OWNER_LIMITS: limits });
  expect(read).toThrow(
    `The environment variables of this function are invalid: TABLE_NAME: Required; RETENTION_DAYS: Must be at least 1; ${problem}`,
  );
});
