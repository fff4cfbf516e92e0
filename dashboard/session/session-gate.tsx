import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAuth } from 'react-oidc-context';
import { MessagePage } from '../ui/message-page.tsx';
import { restoreLocation, type Session } from './session.ts';
import { SessionProvider } from './session-context.tsx';
import { locationBeforeSignIn, providerUnreachable, signInErrorMessage } from './sign-in-errors.ts';
import { SignInPage } from './sign-in-page.tsx';

/** Shows its children to whoever is signed in, signs in again silently where that may work, and asks where not. */
export function SessionGate({ session, children }: { session: Session; children: ReactNode }) {
  const { isAuthenticated, isLoading, activeNavigator, error } = useAuth();
  const asked = useRef(false);
  const [failed, setFailed] = useState(false);
  const waiting = isLoading || activeNavigator !== undefined;
  const mayAsk = !error && !failed && !session.isTokenRejected() && session.hasSignedInBefore();
  const silently = !isAuthenticated && !waiting && mayAsk;

  useEffect(() => {
    if (error !== undefined) restoreLocation(locationBeforeSignIn(error));
  }, [error]);
  useEffect(() => {
    if (isAuthenticated) asked.current = false;
    if (!silently || asked.current) return;
    asked.current = true;
    session.signIn({ silent: true }).catch(() => setFailed(true));
  }, [isAuthenticated, silently, session]);

  if (isAuthenticated) return <SessionProvider value={session}>{children}</SessionProvider>;
  if (session.isTokenRejected()) {
    return (
      <main>
        <MessagePage
          title="The API does not accept your session"
          action={{ label: 'Sign in again', onClick: () => session.signIn() }}
        >
          You are signed in, but the API refuses the token of this identity provider. Its issuer or audience
          may be set wrongly for this stage.
        </MessagePage>
      </main>
    );
  }
  if (waiting || silently) return null;
  const problem = failed ? providerUnreachable : signInErrorMessage(error);
  return <SignInPage onSignIn={() => session.signIn()} problem={problem} />;
}
