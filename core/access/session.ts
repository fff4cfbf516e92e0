/**
 * Checks a session token of the configured identity provider and says whose data it opens.
 * @throws AppError UNAUTHORIZED for a token that is not valid, UNAVAILABLE where the provider's keys cannot be read
 */
export type VerifySession = (token: string) => Promise<{ ownerId: string }>;

/** Where session tokens come from, and which of them are meant for this API. */
export type SessionSettings = {
  issuer: string;
  audience: string;
  /** The claim that names the audience; some providers put it into `client_id` (Amazon Cognito's access tokens). */
  audienceClaim: 'aud' | 'client_id';
  /** Where the provider's keys are; undefined: as its discovery document says. */
  jwksUri?: string | undefined;
  /** The claim that names an organisation, whose members share their jobs. */
  organisationClaim?: string | undefined;
};

/** Whether a credential has the form of a signed JSON Web Token (RFC 7515, compact serialisation). */
export function isJwtShaped(credential: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);
}
