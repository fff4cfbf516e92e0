import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/** The claims of a verified token that say whose data it opens; an e-mail is never among them, since it can change hands. */
export type OwnerClaims = { issuer: string; subject: unknown; organisation: unknown };

/**
 * The owner behind a session: the organisation where the token names one, so that colleagues share their jobs, else
 * the user. It is a hash, so that no claim of a provider is ever part of a key in the table.
 * @throws AppError UNAUTHORIZED where the claims name nobody
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
