import { createHmac } from 'node:crypto';
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
 * else of the user. It stands in URLs of files. So it contains no claim of a provider, and is salted: whoever sees it cannot
 * try claims until one fits.
 * @param salt the secret salt of the stage
 * @throws AppError UNAUTHORIZED if the claims name neither
 */
export function ownerIdFromClaims({ issuer, subject, organisation }: OwnerClaims, salt: string): string {
  if (organisation !== undefined) return ownerId(['organisation', issuer, organisation], salt);
  return ownerId(['user', issuer, subject], salt);
}

/** The salt of the owner ids of a stage: the one stored, else a new one, which it stores. */
export type OwnerSalt = () => Promise<string>;

/**
 * The owner of a session. A stage of one team has one, and if it names an organisation, admits only its members.
 * @throws AppError UNAUTHORIZED if the claims name no owner, or another organisation
 */
export async function ownerIdOfSession(
  claims: OwnerClaims,
  { tenancy, organisation }: { tenancy: Tenancy; organisation?: string | undefined },
  ownerSalt: OwnerSalt,
): Promise<string> {
  if (tenancy === 'multi') return ownerIdFromClaims(claims, await ownerSalt());
  if (organisation !== undefined && claims.organisation !== organisation) {
    throw new AppError('UNAUTHORIZED', 'The session is not of the organization of this stage.');
  }
  assertNamed('user', claims.subject);
  return stageOwnerId;
}

/** 128 bits: nobody can find claims with the id of another owner, and the id fits into the URLs of files. */
const ownerIdBytes = 16;

function ownerId([kind, issuer, name]: [kind: string, issuer: string, name: unknown], salt: string): string {
  assertNamed(kind, name);
  return createHmac('sha256', salt)
    .update(JSON.stringify([kind, issuer, name]))
    .digest()
    .subarray(0, ownerIdBytes)
    .toString('base64url');
}

function assertNamed(kind: string, name: unknown): void {
  if (typeof name === 'string' && name !== '') return;
  throw new AppError('UNAUTHORIZED', `The session token names no ${kind}.`);
}
