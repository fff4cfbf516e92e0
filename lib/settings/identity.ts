import * as z from 'zod';

/** An origin (RFC 6454): scheme, host and optional port. */
export const originSetting = z
  .string()
  .refine(
    (text) => URL.canParse(text) && new URL(text).origin === text,
    'must be an origin such as https://media.example.com, with no path and no final slash',
  );

const providerParameters = z.record(z.string().min(1), z.string()).default({});

const dashboardClient = z
  .strictObject({
    id: z
      .string()
      .min(1, 'must not be empty')
      .describe('Client id of the dashboard at the provider: a public client with PKCE.'),
    scope: z.string().min(1, 'must not be empty').default('openid').meta({
      description:
        'Scopes that the dashboard requests, separated by spaces. Most providers issue a refresh token only for `offline_access`; without one, people sign in again when their access token expires.',
    }),
    resource: z.string().min(1, 'must not be empty').optional().meta({
      description: 'Identifier of the API at a provider with resource indicators (RFC 8707).',
    }),
    signInParameters: providerParameters.describe(
      'Further parameters of the sign-in request, such as the `audience` that Auth0 requires.',
    ),
    signOutUrl: z
      .url('must be a URL')
      .optional()
      .describe('Sign-out endpoint of the provider; unset: from its discovery document.'),
    signOutParameters: providerParameters.describe(
      'Further parameters of the sign-out request, such as `returnTo` for Auth0. `client_id` and `logout_uri` are always sent.',
    ),
    origins: z
      .array(originSetting)
      .default([])
      .describe("Origins besides the issuer's that sign-in calls, such as the token endpoint's."),
  })
  .describe('The dashboard as a client of the provider; unset: no dashboard.');

/** The OpenID Connect provider of dashboard sessions. Without one, API keys are the only credentials. */
export const identityProviderSchema = z
  .strictObject({
    issuer: z
      .url('must be the URL of an issuer, exactly as in its tokens')
      .describe('The issuer, exactly as in the `iss` claim of its tokens.'),
    audience: z.string().min(1, 'must not be empty').describe('The required audience of tokens: this API.'),
    audienceClaim: z
      .enum(['aud', 'client_id'], 'must be aud or client_id')
      .default('aud')
      .describe('The claim that contains the audience; client_id for access tokens of Cognito.'),
    organisationClaim: z.string().min(1, 'must not be empty').optional().meta({
      description:
        'The claim that names the organization of a person. With `tenancy` `multi` its members share their jobs.',
    }),
    organisation: z.string().min(1, 'must not be empty').optional().meta({
      description:
        'The value that the claim must have with `tenancy` `single`: a person of no or another organization gets 401.',
    }),
    dashboardClient: dashboardClient.optional(),
  })
  .meta({
    description:
      'The OpenID Connect provider of the dashboard. `"cognito"`: a user pool of the stage, whose first user is `alarmEmail`; unset: API keys only.',
  });

export type IdentityProvider = z.output<typeof identityProviderSchema>;

/** Stands for the setting `"cognito"`: the stage makes the user pool, whose addresses and ids are known once it exists. */
export const cognitoProvider = {
  issuer: 'https://cognito.invalid',
  audience: 'dashboard',
  audienceClaim: 'client_id',
  dashboardClient: { id: 'dashboard', scope: 'openid', signInParameters: {}, signOutParameters: {}, origins: [] },
} satisfies IdentityProvider;

/** Whether the stage makes the provider itself. */
export function isOfStage(provider: IdentityProvider | undefined): boolean {
  return provider?.issuer === cognitoProvider.issuer;
}

/** True if all URLs of the provider use https. */
export function usesHttps({ issuer, dashboardClient }: IdentityProvider): boolean {
  const { origins = [], signOutUrl = issuer } = dashboardClient ?? {};
  return [issuer, signOutUrl, ...origins].every((address) => new URL(address).protocol === 'https:');
}

/** Environment variables of functions that accept session tokens. */
export function sessionEnvironment(provider: IdentityProvider | undefined): Record<string, string> {
  if (provider === undefined) return {};
  const { issuer, audience, audienceClaim, organisationClaim, organisation } = provider;
  return {
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_AUDIENCE_CLAIM: audienceClaim,
    // The provider of the local stage, whose address is known once it runs.
    ...(issuer.startsWith('http:') ? { OIDC_JWKS_URI: `${issuer}/jwks` } : {}),
    ...(organisationClaim === undefined ? {} : { OIDC_ORGANISATION_CLAIM: organisationClaim }),
    ...(organisation === undefined ? {} : { OIDC_ORGANISATION: organisation }),
  };
}
