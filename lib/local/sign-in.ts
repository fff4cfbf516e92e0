import { createHash } from 'node:crypto';
import { dashboardClient, localAudience } from '@media-jobs/local-stage/identity';

export const redirectUri = 'http://127.0.0.1:1234/app/signed-in';
export const verifier = 'a-pkce-verifier-with-more-than-forty-three-characters';

type Provider = { origin: string };

/** Keeps cookies and follows redirects like a browser, until one leads away from the provider. */
export function aCookieSession({ origin }: Provider) {
  const cookies = new Map<string, string>();
  const visit = async (address: string, method = 'GET'): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(address, origin), { method, redirect: 'manual', headers: { cookie } });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null || location.startsWith(redirectUri)) return answer;
    return visit(location);
  };
  return visit;
}

export function authorizationPath(more: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    client_id: dashboardClient.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: dashboardClient.scope,
    resource: localAudience,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return `/auth?${query}`;
}

/** Signs in by one click; returns the parameters of the redirect to the dashboard. */
export async function signIn(visit: ReturnType<typeof aCookieSession>): Promise<URLSearchParams> {
  const page = await (await visit(authorizationPath())).text();
  const [, action = ''] = /action="([^"]+)"/.exec(page) ?? [];
  return redirectParameters(await visit(action, 'POST'));
}

export function redirectParameters(answer: Response): URLSearchParams {
  return new URL(answer.headers.get('location') ?? '').searchParams;
}

export async function requestTokens(
  { origin }: Provider,
  parameters: Record<string, string>,
): Promise<Record<string, string>> {
  const body = new URLSearchParams({ client_id: dashboardClient.id, ...parameters });
  const answer = await fetch(`${origin}/token`, { method: 'POST', body });
  return (await answer.json()) as Record<string, string>;
}

/** Signs the demo user in and returns the tokens. */
export async function tokensAfterSignIn(provider: Provider): Promise<Record<string, string>> {
  return requestTokens(provider, {
    grant_type: 'authorization_code',
    code: (await signIn(aCookieSession(provider))).get('code') ?? '',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
}
