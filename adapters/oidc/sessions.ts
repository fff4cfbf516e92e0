import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtParseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { ownerIdFromClaims } from '../../core/access/owner.ts';
import type { SessionSettings, VerifySession } from '../../core/access/session.ts';
import { AppError } from '../../core/errors.ts';
import { discoverJwksUri } from './discovery.ts';
import { type FetchDocument, fetchDocument } from './fetch-document.ts';

/** The most by which the clocks of the provider and of this service may differ. */
const skewSeconds = 60;

/**
 * Checks session tokens against the keys of an OpenID Connect provider, which are fetched once and kept. Algorithms are
 * the asymmetric ones of the library, and a key's own where it names one: never `none`, never a shared secret.
 */
export function oidcSessions(settings: SessionSettings, fetch: FetchDocument = fetchDocument): VerifySession {
  const { issuer, organisationClaim } = settings;
  let verifier: Promise<Verifier> | undefined;
  return async (token) => {
    try {
      verifier ??= openVerifier(settings, fetch);
      const claims = await (await verifier).verify(token);
      const organisation = organisationClaim === undefined ? undefined : claims[organisationClaim];
      return { ownerId: ownerIdFromClaims({ issuer, subject: claims.sub, organisation }) };
    } catch (cause) {
      if (cause instanceof FetchError) {
        verifier = undefined;
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
      graceSeconds: skewSeconds,
      customJwtCheck: ({ payload }) => {
        if (audienceClaim === 'client_id' && payload.client_id !== audience) {
          throw new JwtParseError('The client_id is not the audience');
        }
        if (payload.exp === undefined) throw new JwtParseError('The token never expires');
      },
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch } }) },
  );
}
