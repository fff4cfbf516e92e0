import type { Speed } from '@media-jobs/video/encoding';
import { AppError, type ErrorDetail, invalidRequest } from '../errors.ts';
import { isExpired, type KeyAccess, type KeyGrant, type KeyLimits } from './key-record.ts';
import { defaultScopes, type Scope } from './scopes.ts';

export type RequestedAccess = {
  scopes?: Scope[] | undefined;
  expiresAt?: string | undefined;
  limits?: KeyLimits | undefined;
  defaultSpeed?: Speed | undefined;
};

/**
 * The access of a new key that a session creates, or the key `parent`. A child has the parent's expiry, limits
 * and speed unless the request has others, of which the first two are lower.
 * @throws AppError VALIDATION_ERROR for an expiry in the past, FORBIDDEN for more than the parent has, or a parent that a key created
 */
export function delegateAccess(
  requested: RequestedAccess,
  { parent, now }: { parent: KeyGrant | undefined; now: Date },
): KeyAccess {
  if (isExpired(requested, now)) throw invalidRequest([{ path: 'expiresAt', message: 'Must be in the future' }]);
  if (parent?.parentHash !== undefined) {
    throw new AppError(
      'FORBIDDEN',
      'A key that another key created cannot create keys. Use the key that created it, or a session.',
    );
  }
  const expiresAt = requested.expiresAt ?? parent?.expiresAt;
  const inherited = defaultScopes.filter((scope) => parent === undefined || parent.scopes.includes(scope));
  const access: KeyAccess = {
    scopes: [...new Set(requested.scopes ?? inherited)],
    expiresAt,
    limits: { ...parent?.limits, ...definedLimits(requested.limits) },
    parentHash: parent?.hash,
    defaultSpeed: requested.defaultSpeed ?? parent?.defaultSpeed,
  };
  const [first, ...others] = parent === undefined ? [] : excesses(access, parent);
  if (first === undefined) return access;
  const message = `A key can create keys with at most its own access. ${first.path}: ${first.message}`;
  throw new AppError('FORBIDDEN', message, { details: [first, ...others] });
}

function definedLimits(limits: KeyLimits = {}): KeyLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function excesses({ scopes, expiresAt, limits }: KeyAccess, parent: KeyGrant): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const missing = scopes.filter((scope) => !parent.scopes.includes(scope));
  for (const scope of missing) {
    problems.push({ path: 'scopes', message: `The key that creates this one lacks the scope ${scope}` });
  }
  if (scopes.length === 0) {
    problems.push({
      path: 'scopes',
      message: 'The key that creates this one has none of the default scopes. Name others',
    });
  }
  if (parent.expiresAt !== undefined && (expiresAt === undefined || expiresAt > parent.expiresAt)) {
    problems.push({ path: 'expiresAt', message: `Must be at most ${parent.expiresAt}` });
  }
  for (const [name, max] of Object.entries(parent.limits) as [keyof KeyLimits, number | undefined][]) {
    const value = limits[name];
    if (max !== undefined && (value === undefined || value > max)) {
      problems.push({ path: `limits.${name}`, message: `Must be at most ${max}` });
    }
  }
  return problems;
}
