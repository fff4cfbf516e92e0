import type { Context } from './context.ts';

const literalAsterisk = '\u{E000}';
const literalQuestionMark = '\u{E001}';

/** Marks `*` and `?` as characters that are no wildcards. The marks are private characters, which no ARN has. */
function markLiteral(text: string): string {
  return text.replaceAll('*', literalAsterisk).replaceAll('?', literalQuestionMark);
}

/** The text with its marked characters as they were. */
export function withoutMarks(text: string): string {
  return text.replaceAll(literalAsterisk, '*').replaceAll(literalQuestionMark, '?');
}

const segments = 6;

/**
 * Matches an ARN against a `Resource` of a policy or an operand of `ArnLike`. `*` stands for any characters of a segment
 * between colons, and for colons too where it ends the segment; `?` for one character; missing segments match anything
 * (IAM User Guide, "IAM JSON policy elements: Resource"). The resource itself is the last segment, with its colons.
 */
export function arnPattern(pattern: string): RegExp {
  if (pattern === '*') return /^.*$/s;
  const parts = pattern.split(':');
  const head = Array.from({ length: segments - 1 }, (_, index) => segment(parts[index] ?? '*', '[^:]'));
  const resource = segment(parts.slice(segments - 1).join(':') || '*', '.');
  return new RegExp(`^${[...head, resource].join(':')}$`, 's');
}

/** Matches a value against an operand of `StringLike` (IAM User Guide, "String condition operators"). */
export function stringPattern(pattern: string): RegExp {
  return new RegExp(`^${segment(pattern, '.')}$`, 's');
}

/** Matches an action against an `Action` of a policy, case-insensitively (IAM User Guide, "Action"). */
export function actionPattern(pattern: string): RegExp {
  return new RegExp(`^${segment(pattern, '.')}$`, 'is');
}

/** A regular expression's source. `any`: what a wildcard stands for, apart from a `*` at the end. */
function segment(text: string, any: string): string {
  const source = text.replaceAll(/[.+^${}()|[\]\\*?]/g, (character, position: number) => {
    if (character === '*') return position === text.length - 1 ? '.*' : `${any}*`;
    return character === '?' ? any : `\\${character}`;
  });
  return source.replaceAll(literalAsterisk, '\\*').replaceAll(literalQuestionMark, '\\?');
}

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
