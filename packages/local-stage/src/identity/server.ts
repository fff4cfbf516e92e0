import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Configuration, interactionPolicy } from 'oidc-provider';
import { createMemoryAdapter } from 'oidc-provider/lib/adapters/memory_adapter.js';
import { closeServer, isLoopbackOrigin, serveOnLoopback } from '../http-server.ts';
import { dashboardClient, demoUser } from './demo-user.ts';

export type IdentityProvider = {
  issuer: string;
  audience: string;
  /** Without a trailing slash. The discovery document is below it. */
  origin: string;
  jwksUri: string;
  stop(): Promise<void>;
};

export type IdentityOptions = {
  issuer: string;
  audience: string;
  /** Origin of the dashboard, the only pages that the provider answers besides its own. */
  dashboardOrigin: string;
};

/** Starts an OpenID Connect provider with one user and a one-click sign-in. It stores nothing on disk. */
export async function startIdentityProvider({
  issuer,
  audience,
  dashboardOrigin,
}: IdentityOptions): Promise<IdentityProvider> {
  const provider = new Provider(issuer, providerConfiguration(audience));
  const handleOidc = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/sign-in/')) return void handleOidc(request, response);
    signIn(provider, request, response).catch(() => {
      // The interaction has expired or belongs to another browser.
      response.writeHead(400, { 'content-type': 'text/plain' });
      response.end('This sign-in has expired. Go back to the dashboard and sign in again.');
    });
  });
  const { port: dashboardPort } = new URL(dashboardOrigin);
  const isDashboard = (origin: URL | 'null') => isLoopbackOrigin(origin) && origin.port === dashboardPort;
  const origin = `http://127.0.0.1:${await serveOnLoopback(server, { pages: isDashboard })}`;
  return { issuer, audience, origin, jwksUri: `${origin}/jwks`, stop: () => closeServer(server) };
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') {
    return provider.interactionFinished(request, response, { login: { accountId: demoUser.subject } });
  }
  const { uid } = await provider.interactionDetails(request, response);
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
  });
  response.end(signInPage(`/sign-in/${uid}`));
}

/** Short, so that the dashboard renews its session during normal use. */
const accessTokenSeconds = 10 * 60;
const sessionSeconds = 12 * 60 * 60;

/** Configures an OpenID Connect provider with one public client and JWT access tokens for `audience`. */
function providerConfiguration(audience: string): Configuration {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    adapter: createMemoryAdapter(),
    clients: [
      {
        client_id: dashboardClient.id,
        // Loopback redirects of a native client may use any port (RFC 8252 section 7.3).
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/app/signed-in'],
        post_logout_redirect_uris: ['http://127.0.0.1/app/'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    // Puts profile claims into the ID token, so that the dashboard needs no userinfo request.
    conformIdTokenClaims: false,
    clientBasedCORS: () => true,
    findAccount: (_, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, name: demoUser.name, email: demoUser.email }),
    }),
    renderError: (context, { error, error_description: description }) => {
      context.type = 'html';
      context.body = errorPage(description ?? error);
    },
    interactions: { url: (_, { uid }) => `/sign-in/${uid}`, policy: policy() },
    issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    loadExistingGrant: async (context) => {
      const { oidc } = context;
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope(dashboardClient.scope);
      grant.addResourceScope(audience, dashboardClient.scope);
      await grant.save();
      return grant;
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = signOutPage(form);
        },
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          audience,
          scope: dashboardClient.scope,
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      Interaction: sessionSeconds,
      Session: sessionSeconds,
      Grant: sessionSeconds,
      RefreshToken: sessionSeconds,
    },
  };
}

/** Removes the consent prompt that a native client gets at every sign-in. */
function policy() {
  const prompts = interactionPolicy.base();
  prompts.get('consent')?.checks.remove('native_client_prompt');
  return prompts;
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { display: grid; place-content: center; min-height: 100vh; margin: 0; text-align: center; padding: 0 24px; box-sizing: border-box; }
  h1 { font-size: 1.25rem; margin: 0 0 8px; }
  p { margin: 0 0 24px; opacity: 0.8; }
  button { font: inherit; font-weight: 600; padding: 12px 20px; border: 0; border-radius: 8px; background: #3b4fc4; color: #fff; cursor: pointer; }
  button:focus-visible { outline: 3px solid #8c9bff; outline-offset: 2px; }
`;

function signInPage(action: string): string {
  return page(
    'Sign in',
    `<h1>Local identity provider</h1>
    <p>It has one user and asks for no password.</p>
    <form method="post" action="${action}"><button autofocus>Continue as ${demoUser.name}</button></form>`,
  );
}

/** @param form the hidden form of the provider, which the button submits */
function signOutPage(form: string): string {
  return page(
    'Sign out',
    `<h1>Sign out?</h1>
    <p>You are signed in as ${demoUser.name}.</p>
    ${form}<button autofocus type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>`,
  );
}

/** @param problem plain text, not markup */
function errorPage(problem: string): string {
  return page('Sign-in failed', `<h1>Sign-in failed</h1><p>${escaped(problem)}</p>`);
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
    <meta name="viewport" content="width=device-width, initial-scale=1"><style>${style}</style></head>
    <body><main>${body}</main></body></html>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
