import { asList } from './policies.ts';

/** Whom the policy of a resource names: the caller itself, the account of the caller, or neither. */
export type Naming = 'caller' | 'account' | 'nobody';

/** The account of an ARN; empty where the ARN has none, as that of a bucket. */
export function accountOf(arn: string): string {
  return arn.split(':')[4] ?? '';
}

/** The role of a session, `arn:aws:sts::<account>:assumed-role/<role>/<session>`; other callers are their own. */
function roleOf(caller: string): string {
  const [, partition, account, role] = /^arn:([^:]+):sts::(\d+):assumed-role\/([^/]+)\//.exec(caller) ?? [];
  return role === undefined ? caller : `arn:${partition}:iam::${account}:role/${role}`;
}

/**
 * Whom the `Principal` of a statement names (IAM User Guide, "AWS JSON policy elements: Principal"). A principal is
 * never a pattern: only a `*` alone names everybody. An account, by its number or as its root, leaves the decision to
 * the policies of its callers.
 */
export function namedBy(principal: unknown, caller: string): Naming {
  if (principal === '*') return 'caller';
  const { AWS, Service } = Object(principal) as { AWS?: string | string[]; Service?: string | string[] };
  const names = [...asList(AWS ?? []), ...asList(Service ?? [])];
  if (asList(AWS ?? []).includes('*') || names.includes(caller) || names.includes(roleOf(caller))) return 'caller';
  const account = accountOf(caller);
  const isAccount = (name: string) => name === account || /^arn:[^:]+:iam::(\d+):root$/.exec(name)?.[1] === account;
  return account !== '' && names.some(isAccount) ? 'account' : 'nobody';
}
