/**
 * Matches an ARN against a `Resource` of a policy, or a value against an operand of `StringLike`: `*` stands for any
 * characters, `?` for one (IAM User Guide, "IAM JSON policy elements: Resource").
 */
export function arnPattern(pattern: string): RegExp {
  return wildcards(pattern, 's');
}

/** Matches an action against an `Action` of a policy, case-insensitively (IAM User Guide, "Action"). */
export function actionPattern(pattern: string): RegExp {
  return wildcards(pattern, 'is');
}

function wildcards(pattern: string, flags: string): RegExp {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, flags);
}
