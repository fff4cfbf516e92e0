import type { User, UserManager } from 'oidc-client-ts';

/** Gets a new access token by the refresh token, once for all who ask meanwhile; nothing where that does not work. */
export function createTokenRenewer(users: UserManager): () => Promise<User | null> {
  let renewal: Promise<User | null> | undefined;
  const start = async () => {
    const user = await users.getUser();
    return user?.refresh_token === undefined ? null : users.signinSilent();
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
