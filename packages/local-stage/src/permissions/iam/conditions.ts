import type { Context } from './context.ts';
import { asList, type PolicyStatement } from './policies.ts';
import { arnPattern, replaceVariables, stringPattern, withoutMarks } from './wildcards.ts';

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
  const matches = (text: string) =>
    expanded.some((operand) => parsed.operator.compare(text, operand)) !== parsed.operator.isNegated;
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

/** Compares a value of the request with an operand of the policy. */
type Comparison = (value: string, operand: string) => boolean;

type Operator = {
  compare: Comparison;
  /** `StringNotEquals`: true if no operand matches, and where the request has no value. */
  isNegated: boolean;
};

const ordered = (convert: (text: string) => number): Record<string, Comparison> => ({
  Equals: (value, operand) => convert(value) === convert(operand),
  LessThan: (value, operand) => convert(value) < convert(operand),
  LessThanEquals: (value, operand) => convert(value) <= convert(operand),
  GreaterThan: (value, operand) => convert(value) > convert(operand),
  GreaterThanEquals: (value, operand) => convert(value) >= convert(operand),
});

const epochOrIso = (text: string) => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text));

/** IAM User Guide, "IAM JSON policy elements: Condition operators". ArnEquals and ArnLike are the same there. */
const comparisons: Record<string, Comparison> = {
  StringEquals: (value, operand) => value === withoutMarks(operand),
  StringEqualsIgnoreCase: (value, operand) => value.toLowerCase() === withoutMarks(operand).toLowerCase(),
  StringLike: (value, operand) => stringPattern(operand).test(value),
  ArnEquals: (value, operand) => arnPattern(operand).test(value),
  ArnLike: (value, operand) => arnPattern(operand).test(value),
  Bool: (value, operand) => value.toLowerCase() === operand.toLowerCase(),
  ...prefixed('Numeric', ordered(Number)),
  ...prefixed('Date', ordered(epochOrIso)),
};

/** The operator of this name, without quantifier and `IfExists`; undefined for one that is not supported. */
function operatorNamed(name: string): Operator | undefined {
  const compare = comparisons[name];
  if (compare !== undefined) return { compare, isNegated: false };
  const opposite = comparisons[name.replace(/^(String|Arn|Numeric|Date)Not/, '$1')];
  return opposite === undefined ? undefined : { compare: opposite, isNegated: true };
}

function prefixed(prefix: string, operators: Record<string, Comparison>): Record<string, Comparison> {
  return Object.fromEntries(Object.entries(operators).map(([name, compare]) => [prefix + name, compare]));
}
