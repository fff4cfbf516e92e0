import type { Context } from './context.ts';
import { type Operator, operatorNamed } from './operators.ts';
import { asList, type PolicyStatement } from './policies.ts';
import { replaceVariables } from './policy-variables.ts';

/** One comparison of a `Condition` block. */
export type Condition = { operator: string; name: string; operands: readonly string[] };

/** All comparisons of a statement. A statement applies if each of them holds. */
export function conditionsOf({ Condition = {} }: PolicyStatement): Condition[] {
  return Object.entries(Condition).flatMap(([operator, operands]) =>
    Object.entries(operands).map(([name, operand]) => ({ operator, name, operands: asList(operand) })),
  );
}

/** Whether the operator of a condition is one that `holds` evaluates. */
export function isSupported({ operator }: Condition): boolean {
  return operator === 'Null' || parse(operator) !== undefined;
}

/**
 * Whether a comparison holds (IAM User Guide, "Condition operators" and "Set operators for multivalued context keys").
 *
 * @throws Error if the operator is not supported
 */
export function holds({ operator, name, operands }: Condition, context: Context): boolean {
  const value = context.get(name);
  const values = value === undefined ? [] : asList(value);
  if (operator === 'Null') return operands.includes(String(values.length === 0));
  const parsed = parse(operator);
  if (parsed === undefined) throw new Error(`The condition operator ${operator} is not supported`);
  if (values.length === 0) return parsed.withoutValue;
  const expanded = operands.flatMap((operand) => replaceVariables(operand, context) ?? []);
  const matches = (text: string) => matchesAny(parsed.operator, text, expanded);
  if (parsed.quantifier === 'ForAllValues') return values.every(matches);
  if (parsed.quantifier === 'ForAnyValue') return values.some(matches);
  // A key with several values needs a quantifier.
  return values.length === 1 && values.every(matches);
}

type Quantifier = 'ForAllValues' | 'ForAnyValue';
type Parsed = { operator: Operator; quantifier: Quantifier | undefined; withoutValue: boolean };

/** `ForAnyValue:StringLikeIfExists`: quantifier, operator, suffix. */
function parse(text: string): Parsed | undefined {
  const [, quantifier, name = '', ifExists] = /^(?:(ForAllValues|ForAnyValue):)?(\w+?)(IfExists)?$/.exec(text) ?? [];
  const operator = operatorNamed(name);
  if (operator === undefined) return undefined;
  const isMissingFine = ifExists !== undefined || quantifier === 'ForAllValues';
  const withoutValue = isMissingFine || (operator.isNegated && quantifier === undefined);
  return { operator, quantifier: quantifier as Quantifier | undefined, withoutValue };
}

function matchesAny({ compare, isNegated }: Operator, value: string, operands: readonly string[]): boolean {
  return operands.some((operand) => compare(value, operand)) !== isNegated;
}
