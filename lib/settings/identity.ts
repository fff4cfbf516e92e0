import * as z from 'zod';
import { originSetting } from '../origin-setting.ts';

const dashboardClient = z
  .strictObject({
    id: z.string().min(1, 'must not be empty').meta({
      description: 'Client id under which the provider knows the dashboard: a public client with PKCE.',
    }),
    scope: z.string().min(1, 'must not be empty').default('openid').meta({
      description: 'Scopes that the dashboard asks for, separated by spaces.',
    }),
    resource: z.string().min(1, 'must not be empty').optional().meta({
      description: 'The API as a provider with resource indicators (RFC 8707) knows it.',
    }),
    origins: z.array(originSetting).default([]).meta({
      description: "Origins that signing in calls beyond the issuer's, such as that of the token endpoint.",
    }),
  })
  .meta({ description: 'The dashboard at the provider; unset, there is no dashboard.' });

/** The OpenID Connect provider that dashboard sessions come from. Without one, API keys are the only credentials. */
export const identityProviderSchema = z
  .strictObject({
    issuer: z.url('must be the URL of an issuer, exactly as its tokens name it').meta({
      description: 'The issuer of session tokens, exactly as they name it.',
    }),
    audience: z.string().min(1, 'must not be empty').meta({
      description: 'The audience for which tokens must be meant: this API.',
    }),
    audienceClaim: z
      .enum(['aud', 'client_id'], 'must be aud or client_id')
      .default('aud')
      .meta({ description: 'The claim that names the audience; client_id for access tokens of Cognito.' }),
    jwksUri: z.url('must be a URL').optional().meta({
      description: "Where the provider's keys are; else as its discovery document says.",
    }),
    organisationClaim: z.string().min(1, 'must not be empty').optional().meta({
      description: 'The claim that names the organisation whose members share their jobs.',
    }),
    dashboardClient: dashboardClient.optional(),
  })
  .meta({ description: 'The OpenID Connect provider of the dashboard; unset, there are API keys alone.' });

export type IdentityProvider = z.output<typeof identityProviderSchema>;

/** Whether every address of the provider is reached by https. */
export function speaksHttps({ issuer, jwksUri = issuer, dashboardClient }: IdentityProvider): boolean {
  return [issuer, jwksUri, ...(dashboardClient?.origins ?? [])].every(
    (address) => new URL(address).protocol === 'https:',
  );
}

/** What a function that takes session tokens knows of their provider. */
export function sessionEnvironment(provider: IdentityProvider | undefined): Record<string, string> {
  if (provider === undefined) return {};
  const { issuer, audience, audienceClaim, jwksUri, organisationClaim } = provider;
  return {
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_AUDIENCE_CLAIM: audienceClaim,
    ...(jwksUri === undefined ? {} : { OIDC_JWKS_URI: jwksUri }),
    ...(organisationClaim === undefined ? {} : { OIDC_ORGANISATION_CLAIM: organisationClaim }),
  };
}
