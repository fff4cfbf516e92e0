import * as z from 'zod';
import type { VerifySession } from '../../../core/access/session.ts';
import { readEnv } from '../env.ts';

const sessionEnv = z.object({
  OIDC_ISSUER: z.string().optional(),
  OIDC_AUDIENCE: z.string().default(''),
  OIDC_AUDIENCE_CLAIM: z.enum(['aud', 'client_id']).default('aud'),
  OIDC_JWKS_URI: z.string().optional(),
  OIDC_ORGANISATION_CLAIM: z.string().optional(),
});

/**
 * Checks session tokens of the stage's identity provider; undefined where it has none. The code that does so is loaded
 * with the first token: a request with an API key never pays for it.
 */
export function sessionsFromEnvironment(): VerifySession | undefined {
  const env = readEnv(sessionEnv);
  const { OIDC_ISSUER: issuer } = env;
  if (issuer === undefined) return undefined;
  let loaded: Promise<VerifySession> | undefined;
  const load = async (): Promise<VerifySession> => {
    const { oidcSessions } = await import('../../../adapters/oidc/sessions.ts');
    return oidcSessions({
      issuer,
      audience: env.OIDC_AUDIENCE,
      audienceClaim: env.OIDC_AUDIENCE_CLAIM,
      jwksUri: env.OIDC_JWKS_URI,
      organisationClaim: env.OIDC_ORGANISATION_CLAIM,
    });
  };
  return async (token) => {
    loaded ??= load();
    const verify = await loaded;
    return verify(token);
  };
}
