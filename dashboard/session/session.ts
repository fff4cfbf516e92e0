import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import type { DashboardConfig } from '../../core/access/dashboard-config.ts';

/** Says that this browser was signed in, so that a reload signs in again by itself. It is no credential. */
const hint = 'media-jobs.was-signed-in';

/** A token that is refused so soon after signing in will be refused again. */
const pointlessMs = 20_000;

export type Session = {
  users: UserManager;
  token: () => Promise<string>;
  /** The API does not take the token: sign in again, or say so where that has just been done. */
  refused: () => void;
  isRefused: () => boolean;
  wasSignedIn: () => boolean;
  signIn: (options?: { silent: boolean }) => Promise<void>;
  signOut: () => Promise<void>;
};

/** The session of one user, by authorization code with PKCE. Tokens are kept in memory only. */
export function createSession(config: DashboardConfig): Session {
  const users = new UserManager({
    authority: config.issuer,
    ...(config.metadataUrl === undefined ? {} : { metadataUrl: config.metadataUrl }),
    ...(config.resource === undefined ? {} : { resource: config.resource }),
    client_id: config.clientId,
    scope: config.scope,
    redirect_uri: `${window.location.origin}/app/signed-in`,
    post_logout_redirect_uri: `${window.location.origin}/app/`,
    automaticSilentRenew: true,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    // The verifier must survive the way to the provider and back; it is worth nothing without the code.
    stateStore: new WebStorageStateStore({ store: window.sessionStorage }),
  });
  let signedInAt = 0;
  let refused = false;
  users.events.addUserLoaded(() => {
    signedInAt = Date.now();
    localStorage.setItem(hint, 'yes');
  });
  return {
    users,
    token: async () => (await users.getUser())?.access_token ?? '',
    refused: () => {
      refused = Date.now() - signedInAt < pointlessMs;
      void users.removeUser();
    },
    isRefused: () => refused,
    wasSignedIn: () => localStorage.getItem(hint) !== null,
    signIn: ({ silent } = { silent: false }) => {
      refused = false;
      const { pathname, search } = window.location;
      return users.signinRedirect({ state: pathname + search, ...(silent ? { prompt: 'none' } : {}) });
    },
    signOut: () => {
      localStorage.removeItem(hint);
      return users.signoutRedirect();
    },
  };
}

/** Back to the page that the user came from, without the code in the address. */
export function afterSignIn(user: User | undefined): void {
  const from = typeof user?.state === 'string' ? user.state : '/app/';
  const isOurs = from.startsWith('/app/') && !from.startsWith('/app/signed-in');
  window.history.replaceState({}, '', isOurs ? from : '/app/');
}
