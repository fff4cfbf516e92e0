/** Stands for the value of a reference. ARNs and URLs of a stage are shorter. */
const anyReference = 'x'.repeat(128);

/** The JSON of a value of a template, with a text of 128 characters in place of each reference. */
export function resolvedText(value: unknown): string {
  return JSON.stringify(resolved(value));
}

function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  if (others.length === 0 && name === 'Fn::Join') return joined(argument);
  if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return anyReference;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child)]));
}

function joined([separator, parts]: [string, unknown[]]): string {
  return parts.map((part) => String(resolved(part))).join(separator);
}
