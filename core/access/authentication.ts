/** Who may call a route: a program with an API key, or a person with a dashboard session. */
export type Caller = 'key' | 'session';

/** Who makes a request, once authenticated: everything is read and written on behalf of `ownerId`. */
export type Principal = { ownerId: string; caller: Caller };

/**
 * The credential of a request, exactly as sent, from `Authorization: Bearer` (the scheme in any case, RFC 9110
 * section 11.1) or `X-API-KEY`. Both may be sent if they are equal. Undefined where there is none, or more than one.
 * Header names are in lower case; a header that was sent twice arrives joined by a comma and so matches no key.
 */
export function readCredential(headers: Record<string, string | undefined>): string | undefined {
  const { authorization, 'x-api-key': apiKey } = headers;
  if (authorization === undefined) return apiKey;
  const bearer = /^bearer (.*)$/is.exec(authorization)?.[1];
  if (apiKey === undefined || apiKey === bearer) return bearer;
  return undefined;
}

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
