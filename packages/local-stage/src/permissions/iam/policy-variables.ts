import type { Context } from './context.ts';
import { markLiteral } from './wildcards.ts';

const variable = /\$\{([^},]+)(?:,\s*'([^']*)')?\}/g;

/** Whether a value of a policy depends on the request. */
export function hasVariable(text: string): boolean {
  return text.includes('${');
}

/**
 * Replaces `${aws:PrincipalTag/owner}` by the value of the key, or by the default in `${key, 'default'}`, and `${*}`,
 * `${?}`, `${$}` by the character (IAM User Guide, "IAM policy elements: Variables and tags"). A wildcard in a value is
 * no wildcard of the pattern. undefined if a key has no value or several: the text then matches nothing.
 */
export function replaceVariables(text: string, context: Context): string | undefined {
  let isDefined = true;
  const replaced = text.replaceAll(variable, (_, name: string, otherwise: string | undefined) => {
    const value = specialCharacters[name] ?? context.get(name) ?? otherwise;
    const [only, ...more] = typeof value === 'string' ? [value] : (value ?? []);
    if (only === undefined || more.length > 0) isDefined = false;
    return markLiteral(only ?? '');
  });
  return isDefined ? replaced : undefined;
}

const specialCharacters: Readonly<Record<string, string>> = { '*': '*', '?': '?', $: '$' };
