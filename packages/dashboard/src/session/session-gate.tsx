import { Center, Stack, Text, Title } from '@mantine/core';
import { ErrorResponse } from 'oidc-client-ts';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { type ErrorContext, useAuth } from 'react-oidc-context';
import { ActionButton } from '../ui/action-button.tsx';
import { Callout } from '../ui/callout.tsx';
import { Logo } from '../ui/logo.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { restoreLocation, type Session } from './session.ts';

const sessionContext = createContext<Session | undefined>(undefined);

/** The session of the signed-in user. @throws Error outside SessionGate */
export function useSession(): Session {
  const session = useContext(sessionContext);
  if (session === undefined) throw new Error('useSession must be called inside SessionGate');
  return session;
}

/**
 * Shows its children to a signed-in user. Otherwise tries a silent sign-in if there was a session, then shows the
 * sign-in page.
 */
export function SessionGate({ session, children }: { session: Session; children: ReactNode }) {
  const { isAuthenticated, isLoading, activeNavigator, error } = useAuth();
  const hasTriedSilently = useRef(false);
  const [hasFailed, setHasFailed] = useState(false);
  const isWaiting = isLoading || activeNavigator !== undefined;
  const mayTrySilently = !error && !hasFailed && !session.isTokenRejected() && session.hasSignedInBefore();
  const isSilent = !isAuthenticated && !isWaiting && mayTrySilently;

  useEffect(() => {
    // The provider returns the path that the user came from with its error response.
    if (error !== undefined) restoreLocation(errorResponse(error)?.state);
  }, [error]);
  useEffect(() => {
    if (isAuthenticated) hasTriedSilently.current = false;
    if (!isSilent || hasTriedSilently.current) return;
    hasTriedSilently.current = true;
    session.signIn({ silent: true }).catch(() => setHasFailed(true));
  }, [isAuthenticated, isSilent, session]);

  if (isAuthenticated) return <sessionContext.Provider value={session}>{children}</sessionContext.Provider>;
  if (session.isTokenRejected()) {
    return (
      <main>
        <MessagePage
          title="The API rejected your session"
          action={{ label: 'Sign in again', onClick: () => session.signIn() }}
        >
          You are signed in, but the API rejected the token of your sign-in. The operator of this service may have to
          correct the issuer or the audience in its settings.
        </MessagePage>
      </main>
    );
  }
  if (isWaiting || isSilent) return null;
  const problem = hasFailed ? providerUnreachable : signInErrorMessage(error);
  return <SignInPage onSignIn={() => session.signIn()} problem={problem} />;
}

/** @param problem why the last sign-in failed or the session ended */
function SignInPage({ onSignIn, problem }: { onSignIn: () => Promise<void>; problem: string | undefined }) {
  const [isRedirecting, setIsRedirecting] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signIn = () => {
    setIsRedirecting(true);
    setFailure(undefined);
    onSignIn().catch(() => {
      setIsRedirecting(false);
      setFailure(providerUnreachable);
    });
  };
  const message = failure ?? problem;
  return (
    <Center component="main" mih="100vh" p="md">
      <Stack align="center" gap="lg" maw={360}>
        <Logo size={48} />
        <Stack gap={4} align="center">
          <Title order={1} size="h2">
            Media jobs
          </Title>
          <Text c="dimmed" ta="center" style={{ textWrap: 'balance' }}>
            Compress, convert and clip video, audio and images.
          </Text>
        </Stack>
        {message === undefined ? null : (
          <Callout tone="error" urgent title="Could not sign you in">
            {message}
          </Callout>
        )}
        <ActionButton size="md" onClick={signIn} isBusy={isRedirecting} autoFocus>
          Sign in
        </ActionButton>
      </Stack>
    </Center>
  );
}

/** Answers to a silent sign-in that mean only that the user has to sign in. */
const signInRequired = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);

const providerUnreachable = 'The identity provider cannot be reached. Check your connection and try again.';

/** The message of a sign-in error; undefined if the user only has to sign in. */
function signInErrorMessage(error: ErrorContext | undefined): string | undefined {
  const response = errorResponse(error);
  return response !== undefined && signInRequired.has(response.error ?? '') ? undefined : error?.message;
}

function errorResponse(error: ErrorContext | undefined): ErrorResponse | undefined {
  return error?.innerError instanceof ErrorResponse ? error.innerError : undefined;
}
