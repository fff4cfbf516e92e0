import type { DashboardConfig } from '@media-jobs/core/api';
import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';

/** Storage key that records an earlier sign-in, so that a reload tries a silent one. It holds no credential. */
const signedInKey = 'media-jobs.was-signed-in';

/** If the API rejects a token this soon after sign-in, another sign-in will not help. */
const minSessionMs = 20_000;

export type Session = ReturnType<typeof createSession>;

/** A session by OpenID Connect authorization code with PKCE. Tokens are kept in memory only. */
export function createSession(config: DashboardConfig) {
  const signedOutUrl = `${window.location.origin}/app/`;
  const userManager = new UserManager({
    authority: config.issuer,
    metadataUrl: config.metadataUrl,
    resource: config.resource,
    client_id: config.clientId,
    scope: config.scope,
    redirect_uri: `${window.location.origin}/app/signed-in`,
    post_logout_redirect_uri: signedOutUrl,
    extraQueryParams: { ...config.signInParameters },
    // Even an undefined value would replace that of the discovery document.
    ...(config.signOutUrl !== undefined && { metadataSeed: { end_session_endpoint: config.signOutUrl } }),
    // Renewed below in one place: a refresh token works once, and two concurrent uses end the session.
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The PKCE verifier must survive the redirect. It is useless without the authorization code.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
  const renew = createTokenRenewer(userManager);
  userManager.events.addAccessTokenExpiring(() => void renew());
  let signedInAt = 0;
  let isRejected = false;
  const rejectionListeners = new Set<() => void>();
  userManager.events.addUserLoaded(() => {
    signedInAt = Date.now();
    localStorage.setItem(signedInKey, 'yes');
  });
  // Signing out in another tab ends the session here too: its tokens may outlive the session of the provider.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === signedInKey && newValue === null) void userManager.removeUser();
  });
  return {
    userManager,
    token: async () => {
      const user = await userManager.getUser();
      // The timed renewal is missed while the computer sleeps or is offline.
      const current = user?.expired ? ((await renew()) ?? user) : user;
      return current?.access_token ?? '';
    },
    /** Ends the session after a 401. The user signs in again, or sees an error if the sign-in was recent. */
    rejectToken: () => {
      isRejected = Date.now() - signedInAt < minSessionMs;
      for (const listener of rejectionListeners) listener();
      void userManager.removeUser();
    },
    isTokenRejected: () => isRejected,
    /** Calls `listener` before a 401 ends the session. Returns a function that removes it. */
    onTokenRejected: (listener: () => void) => {
      rejectionListeners.add(listener);
      return () => void rejectionListeners.delete(listener);
    },
    hasSignedInBefore: () => localStorage.getItem(signedInKey) !== null,
    signIn: ({ silent } = { silent: false }) => {
      isRejected = false;
      const { pathname, search } = window.location;
      return userManager.signinRedirect({ state: pathname + search, prompt: silent ? 'none' : undefined });
    },
    signOut: () => {
      localStorage.removeItem(signedInKey);
      // Cognito reads client_id and logout_uri; other providers must ignore parameters that they do not know.
      const request = {
        client_id: config.clientId,
        extraQueryParams: { logout_uri: signedOutUrl, ...config.signOutParameters },
      };
      return userManager.signoutRedirect(request);
    },
  };
}

/** Returns to the page before the sign-in and removes the provider's parameters from the address. */
export function restoreLocation(location: unknown): void {
  const from = typeof location === 'string' ? location : '/app/';
  const isOwnPath = from.startsWith('/app/') && !from.startsWith('/app/signed-in');
  window.history.replaceState({}, '', isOwnPath ? from : '/app/');
}

/** Renews the access token by the refresh token; concurrent calls share one renewal. Resolves to null if it fails. */
function createTokenRenewer(userManager: UserManager): () => Promise<User | null> {
  let renewal: Promise<User | null> | undefined;
  const start = async () => {
    const user = await userManager.getUser();
    return user?.refresh_token === undefined ? null : userManager.signinSilent();
  };
  return () => {
    renewal ??= start()
      .catch(() => null)
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  };
}
