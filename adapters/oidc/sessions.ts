import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtParseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { SessionSettings, VerifySession } from '../../core/access/authentication.ts';
import { type OwnerSalt, ownerIdOfSession } from '../../core/access/owner.ts';
import { AppError } from '../../core/errors.ts';
import { discoverJwksUri, type FetchDocument, fetchDocument } from './discovery.ts';

/** Tolerated difference between the clocks of the provider and this service. */
const clockSkewSeconds = 60;

/**
 * Verifies session tokens against the keys of an OpenID Connect provider. The keys are fetched once and cached. The
 * library accepts asymmetric algorithms only, or the one that the key names: never `none` or a shared secret.
 */
export function oidcSessions(
  settings: SessionSettings,
  ownerSalt: OwnerSalt,
  fetch: FetchDocument = fetchDocument,
): VerifySession {
  const { issuer, organisationClaim } = settings;
  let verifier: Promise<Verifier> | undefined;
  return async (token) => {
    try {
      // An opened one stays: it knows keys, which a token of an unknown key must not remove while the provider is down.
      verifier ??= openVerifier(settings, fetch).catch((cause: unknown) => {
        verifier = undefined;
        throw cause;
      });
      const claims = await (await verifier).verify(token);
      const organisation = organisationClaim === undefined ? undefined : claims[organisationClaim];
      const owner = { issuer, subject: claims.sub, organisation };
      return { ownerId: await ownerIdOfSession(owner, settings, ownerSalt), subject: String(claims.sub) };
    } catch (cause) {
      if (cause instanceof FetchError) {
        throw new AppError('UNAVAILABLE', 'The identity provider does not answer; try again shortly.', {
          cause,
        });
      }
      if (!(cause instanceof JwtBaseError)) throw cause;
      throw new AppError('UNAUTHORIZED', 'The session token is not valid: sign in again.', { cause });
    }
  };
}

type Verifier = { verify(token: string): Promise<Record<string, unknown>> };

async function openVerifier(settings: SessionSettings, fetch: FetchDocument): Promise<Verifier> {
  const { issuer, audience, audienceClaim } = settings;
  return JwtVerifier.create(
    {
      issuer,
      audience: audienceClaim === 'aud' ? audience : null,
      jwksUri: settings.jwksUri ?? (await discoverJwksUri(issuer, fetch)),
      graceSeconds: clockSkewSeconds,
      customJwtCheck: ({ payload }) => {
        if (audienceClaim === 'client_id' && payload.client_id !== audience) {
          throw new JwtParseError('The claim client_id differs from the configured audience');
        }
        if (payload.exp === undefined) throw new JwtParseError('The token has no expiry (exp)');
      },
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch } }) },
  );
}
