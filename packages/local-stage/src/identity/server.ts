import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider from 'oidc-provider';
import { closeServer, isLoopbackOrigin, serveOnLoopback } from '../http-server.ts';
import { demoUser } from './demo-user.ts';
import { signInPage } from './pages.ts';
import { providerConfiguration } from './provider-configuration.ts';

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
