import { JwtVerifier } from 'aws-jwt-verify';
import { FetchError, JwtBaseError, JwtParseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import * as z from 'zod';
import type { SessionSettings, VerifySession } from '../../core/access/authentication.ts';
import { type OwnerSalt, ownerIdOfSession } from '../../core/access/owner.ts';
import { AppError } from '../../core/errors.ts';

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

type FetchDocument = (uri: string) => Promise<ArrayBuffer>;

const timeoutMs = 3_000;

const discoveryDocument = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Uses Node's fetch: the library's fetcher supports https only, and the local provider uses http. */
const fetchDocument: FetchDocument = async (uri) => {
  try {
    const response = await fetch(uri, { signal: AbortSignal.timeout(timeoutMs), redirect: 'error' });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return await response.arrayBuffer();
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
};

/**
 * Reads the URL of a provider's keys from its discovery document (OpenID Connect Discovery 1.0, section 4).
 * @throws FetchError if the document cannot be fetched or belongs to another issuer
 */
async function discoverJwksUri(issuer: string, fetch: FetchDocument): Promise<string> {
  const uri = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const text = new TextDecoder().decode(await fetch(uri));
  const document = parseDocument(text, uri);
  if (document.issuer !== issuer) {
    throw new FetchError(uri, new Error(`It names the issuer ${document.issuer}, not ${issuer}`));
  }
  return document.jwks_uri;
}

function parseDocument(text: string, uri: string): z.output<typeof discoveryDocument> {
  try {
    return discoveryDocument.parse(JSON.parse(text));
  } catch (cause) {
    throw new FetchError(uri, cause);
  }
}
