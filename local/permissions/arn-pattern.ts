/**
 * Matches an ARN against a `Resource` of a policy, or a value against an operand of `StringLike`: `*` stands for any characters, `?` for one (IAM User Guide,
 * "IAM JSON policy elements: Resource").
 */
export function arnPattern(pattern: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
}
