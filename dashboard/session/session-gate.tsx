import { type ReactNode, useEffect, useRef } from 'react';
import { useAuth } from 'react-oidc-context';
import { Notice } from '../shell/notice.tsx';
import type { Session } from './session.ts';
import { SessionProvider } from './session-context.tsx';
import { SignInPage } from './sign-in-page.tsx';

/** Shows its children to whoever is signed in, signs in again silently where that may work, and asks where not. */
export function SessionGate({ session, children }: { session: Session; children: ReactNode }) {
  const { isAuthenticated, isLoading, activeNavigator, error } = useAuth();
  const asked = useRef(false);
  const waiting = isLoading || activeNavigator !== undefined;
  const silently = !isAuthenticated && !waiting && !error && !session.isRefused() && session.wasSignedIn();

  useEffect(() => {
    if (isAuthenticated) asked.current = false;
    if (!silently || asked.current) return;
    asked.current = true;
    void session.signIn({ silent: true });
  }, [isAuthenticated, silently, session]);

  if (isAuthenticated) return <SessionProvider value={session}>{children}</SessionProvider>;
  if (session.isRefused()) {
    return (
      <main>
        <Notice
          title="The API does not accept your session"
          action={{ label: 'Sign in again', onClick: () => session.signIn() }}
        >
          You are signed in, but the API refuses the token of this identity provider. Its issuer or audience
          may be set wrongly for this stage.
        </Notice>
      </main>
    );
  }
  if (waiting || silently) return null;
  return <SignInPage onSignIn={() => session.signIn()} problem={problemOf(error)} />;
}

/** Having to sign in is no problem worth a message, when all we asked was whether it was needed. */
function problemOf(error: Error | undefined): string | undefined {
  const code = error !== undefined && 'error' in error ? String(error.error) : '';
  const expected = [
    'login_required',
    'interaction_required',
    'consent_required',
    'account_selection_required',
  ];
  return error === undefined || expected.includes(code) ? undefined : error.message;
}
