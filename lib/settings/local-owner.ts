import { demoUser, localIssuer } from '@media-jobs/local-stage/demo-user';
import { ownerIdFromClaims } from '../../core/access/owner.ts';

/** Known, so that the id of a local owner is: nobody but its user sees a local stage. */
export const localOwnerSalt = Buffer.alloc(32).toString('base64');

/** The id of a user of the local stage. */
export function localOwner(subject: string): string {
  return ownerIdFromClaims({ issuer: localIssuer, subject, organisation: undefined }, localOwnerSalt);
}

/** The owner of the first API key: the demo user, who sees its jobs in the dashboard. */
export const localOwnerId = localOwner(demoUser.subject);
