/** The values of a request's condition keys, by name. Names are not case-sensitive. */
export type Context = { get(name: string): string | readonly string[] | undefined };

/** The values of a request's condition keys (IAM User Guide, "Condition": key names are not case-sensitive). */
export function requestContext(values: Readonly<Record<string, string | readonly string[]>>): Context {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
  return { get: (name) => byName.get(name.toLowerCase()) };
}
