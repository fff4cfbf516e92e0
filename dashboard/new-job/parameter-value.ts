import type { Parameter } from './parameter.ts';

/** The value behind a choice; none where it is the one that the recipe makes itself. */
export function parseChoice(text: string, { choices, defaultValue }: Parameter): unknown {
  const choice = choices.find((one) => String(one) === text);
  return choice === defaultValue ? undefined : choice;
}

/** The value of a text that was typed; none where it is empty. */
export function parseScalar(
  text: string,
  { acceptsNumbers }: Pick<Parameter, 'acceptsNumbers'>,
): string | number | undefined {
  if (text.trim() === '') return undefined;
  return acceptsNumbers && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The values of a list that was typed with commas. */
export function parseList(text: string, parameter: Parameter): unknown[] | undefined {
  const values = text.split(',').map((part) => parseScalar(part.trim(), parameter));
  const given = values.filter((value) => value !== undefined);
  return given.length === 0 ? undefined : given;
}

/** What a text says in JSON; the text itself while it is not JSON yet, which no schema of an object takes. */
export function parseJson(text: string): unknown {
  try {
    return text.trim() === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
