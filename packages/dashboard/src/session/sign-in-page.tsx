import { Center, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../ui/action-button.tsx';
import { Callout } from '../ui/callout.tsx';
import { Logo } from '../ui/logo.tsx';
import { providerUnreachable } from './sign-in-errors.ts';

type Props = { onSignIn: () => Promise<void>; problem: string | undefined };

/** @param problem why the last sign-in failed or the session ended */
export function SignInPage({ onSignIn, problem }: Props) {
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
