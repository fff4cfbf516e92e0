import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** The claims of a verified token that identify the owner. E-mail is not one of them: an address can change hands. */
export type OwnerClaims = { issuer: string; subject: unknown; organisation: unknown };

/**
 * The owner id of a session: a hash of the organisation if the token names one, so that colleagues share their jobs,
 * else of the user. Hashed, so that table keys contain no claim of a provider.
 * @throws AppError UNAUTHORIZED if the claims name neither
 */
export function ownerIdFromClaims({ issuer, subject, organisation }: OwnerClaims): string {
  if (organisation !== undefined) return ownerId('organisation', issuer, organisation);
  return ownerId('user', issuer, subject);
}

function ownerId(kind: string, issuer: string, name: unknown): string {
  if (typeof name !== 'string' || name === '') {
    throw new AppError('UNAUTHORIZED', `The session token names no ${kind}.`);
  }
  return createHash('sha256')
    .update(JSON.stringify([kind, issuer, name]))
    .digest('base64url');
}
