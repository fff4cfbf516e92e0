import * as z from 'zod';

// Compiled checks would need eval, which the security policy forbids.
z.config({ jitless: true });

/** Checks values by a recipe's JSON Schema: the first thing that is wrong with each parameter, by its name. */
export function checkParameters(
  schema: Record<string, unknown>,
  values: Record<string, unknown>,
): Record<string, string> {
  const result = z.fromJSONSchema(schema).safeParse(values);
  if (result.success) return {};
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) {
    const name = String(path[0] ?? '');
    problems[name] ??= message;
  }
  return problems;
}
