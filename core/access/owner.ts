import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';

/**
 * Who shares a stage. `single`: one team, whose keys and sessions all belong to one owner without limits. `multi`: owners
 * that are isolated from each other, each with limits.
 */
export const tenancies = ['single', 'multi'] as const;

export type Tenancy = (typeof tenancies)[number];

/** The one owner of a stage of one team. No hash of claims has this form. */
export const stageOwnerId = 'stage';

/**
 * The tests of a webhook, or of storage providers, of one owner that may run at the same time: each holds a function until a
 * host of the owner responds. Undefined: any number.
 */
export function maxConcurrentTests(tenancy: Tenancy): number | undefined {
  return tenancy === 'multi' ? 1 : undefined;
}

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

/**
 * The owner of a session. A stage of one team has one, and if it names an organisation, admits only its members.
 * @throws AppError UNAUTHORIZED if the claims name no owner, or another organisation
 */
export function ownerIdOfSession(
  claims: OwnerClaims,
  { tenancy, organisation }: { tenancy: Tenancy; organisation?: string | undefined },
): string {
  if (tenancy === 'multi') return ownerIdFromClaims(claims);
  if (organisation !== undefined && claims.organisation !== organisation) {
    throw new AppError('UNAUTHORIZED', 'The session is not of the organization of this stage.');
  }
  assertNamed('user', claims.subject);
  return stageOwnerId;
}

/** 128 bits: nobody can find claims with the id of another owner, and the id fits into the URLs of files. */
const ownerIdBytes = 16;

function ownerId(kind: string, issuer: string, name: unknown): string {
  assertNamed(kind, name);
  return createHash('sha256')
    .update(JSON.stringify([kind, issuer, name]))
    .digest()
    .subarray(0, ownerIdBytes)
    .toString('base64url');
}

function assertNamed(kind: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new AppError('UNAUTHORIZED', `The session token names no ${kind}.`);
}
