import type { KeyGrant, KeyLimits } from './key-record.ts';
import type { Tenancy } from './owner.ts';

/** A caller is a program with an API key or a person with a dashboard session. */
export type Caller = 'key' | 'session';

/** The authenticated caller, which can access the resources of `ownerId` only, and a key only what its scopes allow. */
export type Principal = { ownerId: string } /** `subject`: the person's id at the identity provider. */ & (
  | { caller: 'session'; subject?: string }
  | { caller: 'key'; key: KeyGrant; parent?: KeyGrant }
);

/** The limits of a caller's key; none for a session. */
export function limitsOf(principal: Principal): KeyLimits {
  return principal.caller === 'key' ? principal.key.limits : {};
}

/**
 * The credential of a request, not trimmed, from `Authorization: Bearer` (case-insensitive scheme, RFC 9110 section
 * 11.1) or `X-API-KEY`. Undefined if there is none or the two headers differ. Header names are in lower case. API
 * Gateway joins repeated headers by commas; such a value matches no key.
 */
export function readCredential(headers: Record<string, string | undefined>): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization === undefined) return apiKey;
  const bearer = /^bearer (.*)$/is.exec(authorization)?.[1];
  if (apiKey === undefined || apiKey === bearer) return bearer;
  return undefined;
}

/**
 * Verifies a session token of the configured identity provider.
 * @throws AppError UNAUTHORIZED for an invalid token, UNAVAILABLE if the provider's keys cannot be loaded
 */
export type VerifySession = (token: string) => Promise<{ ownerId: string; subject?: string }>;

export type SessionSettings = {
  issuer: string;
  audience: string;
  /** The claim that holds the audience: `client_id` in access tokens of Amazon Cognito. */
  audienceClaim: 'aud' | 'client_id';
  /** URL of the provider's keys. Default: the one in its discovery document. */
  jwksUri?: string | undefined;
  tenancy: Tenancy;
  /** The claim that names the organisation whose members share their jobs. */
  organisationClaim?: string | undefined;
  /** The only value of that claim, on a stage of one team. */
  organisation?: string | undefined;
};

/** Whether a credential has the form of a signed JSON Web Token (RFC 7515, compact serialization). */
export function isJwtShaped(credential: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);
}
