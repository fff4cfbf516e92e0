import * as z from 'zod';

/** The parameters of a query as the gateway decoded them; repeated ones are joined by commas. */
export type QueryString = Record<string, string | undefined>;

/**
 * The parameters as their schema names them: where a field is a record, `field.<key>=<value>` becomes one of its pairs.
 * Anything else keeps its name, for the schema to refuse.
 */
export function nestRecords(schema: z.ZodObject, query: QueryString): Record<string, unknown> {
  const records = new Set(Object.keys(schema.shape).filter((field) => isRecord(schema.shape[field])));
  const plain: [string, unknown][] = [];
  const pairs = new Map<string, [string, unknown][]>();
  for (const [name, value] of Object.entries(query)) {
    const [field = '', key] = splitOnce(name);
    if (key === undefined || key === '__proto__' || !records.has(field)) plain.push([name, value]);
    else pairs.set(field, [...(pairs.get(field) ?? []), [key, value]]);
  }
  const nested = [...pairs].map(([field, of]): [string, unknown] => [field, Object.fromEntries(of)]);
  return Object.fromEntries([...nested, ...plain]);
}

function splitOnce(name: string): [string, string?] {
  const dot = name.indexOf('.');
  return dot < 0 ? [name] : [name.slice(0, dot), name.slice(dot + 1)];
}

function isRecord(schema: unknown): boolean {
  const inner = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  return inner instanceof z.ZodRecord;
}
