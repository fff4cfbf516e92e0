import { arnPattern, stringPattern, withoutMarks } from './wildcards.ts';

/** Compares a value of the request with an operand of the policy. */
type Comparison = (value: string, operand: string) => boolean;

export type Operator = {
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
export function operatorNamed(name: string): Operator | undefined {
  const compare = comparisons[name];
  if (compare !== undefined) return { compare, isNegated: false };
  const opposite = comparisons[name.replace(/^(String|Arn|Numeric|Date)Not/, '$1')];
  return opposite === undefined ? undefined : { compare: opposite, isNegated: true };
}

function prefixed(prefix: string, operators: Record<string, Comparison>): Record<string, Comparison> {
  return Object.fromEntries(Object.entries(operators).map(([name, compare]) => [prefix + name, compare]));
}
