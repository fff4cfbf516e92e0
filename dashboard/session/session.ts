import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';
import { createTokenRenewer } from './renewer.ts';

/** Says that this browser was signed in, so that a reload signs in again by itself. It is no credential. */
const hint = 'media-jobs.was-signed-in';

/** A token that is refused so soon after signing in will be refused again. */
const pointlessMs = 20_000;

export type Session = {
  userManager: UserManager;
  token: () => Promise<string>;
  /** The API does not take the token: sign in again, or say so where that has just been done. */
  rejectToken: () => void;
  isTokenRejected: () => boolean;
  hasSignedInBefore: () => boolean;
  signIn: (options?: { silent: boolean }) => Promise<void>;
  signOut: () => Promise<void>;
};

/** The session of one user, by authorization code with PKCE. Tokens are kept in memory only. */
export function createSession(config: DashboardConfig): Session {
  const userManager = new UserManager({
    authority: config.issuer,
    ...(config.metadataUrl === undefined ? {} : { metadataUrl: config.metadataUrl }),
    ...(config.resource === undefined ? {} : { resource: config.resource }),
    client_id: config.clientId,
    scope: config.scope,
    redirect_uri: `${window.location.origin}/app/signed-in`,
    post_logout_redirect_uri: `${window.location.origin}/app/`,
    // Renewed below, in one place: a refresh token is good for one use, and two who use it at once end the session.
    automaticSilentRenew: false,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The verifier must survive the way to the provider and back; it is worth nothing without the code.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
  const renew = createTokenRenewer(userManager);
  userManager.events.addAccessTokenExpiring(() => void renew());
  let signedInAt = 0;
  let refused = false;
  userManager.events.addUserLoaded(() => {
    signedInAt = Date.now();
    localStorage.setItem(hint, 'yes');
  });
  return {
    userManager,
    token: async () => {
      const user = await userManager.getUser();
      // A computer that slept, or was without a network, has missed the time to renew.
      const current = user?.expired ? ((await renew()) ?? user) : user;
      return current?.access_token ?? '';
    },
    rejectToken: () => {
      refused = Date.now() - signedInAt < pointlessMs;
      void userManager.removeUser();
    },
    isTokenRejected: () => refused,
    hasSignedInBefore: () => localStorage.getItem(hint) !== null,
    signIn: ({ silent } = { silent: false }) => {
      refused = false;
      const { pathname, search } = window.location;
      return userManager.signinRedirect({ state: pathname + search, ...(silent ? { prompt: 'none' } : {}) });
    },
    signOut: () => {
      localStorage.removeItem(hint);
      return userManager.signoutRedirect();
    },
  };
}

/** Back to the page where the user was before signing in, without what the provider has put into the address. */
export function restoreLocation(place: unknown): void {
  const from = typeof place === 'string' ? place : '/app/';
  const isOurs = from.startsWith('/app/') && !from.startsWith('/app/signed-in');
  window.history.replaceState({}, '', isOurs ? from : '/app/');
}
