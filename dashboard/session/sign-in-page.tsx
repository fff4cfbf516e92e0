import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { Callout } from '../ui/callout.tsx';
import { Logo } from '../ui/logo.tsx';
import { providerUnreachable } from './sign-in-errors.ts';

type Props = { onSignIn: () => Promise<void>; problem: string | undefined };

/** What is shown to whoever is not signed in; `problem` says why they are not any more. */
export function SignInPage({ onSignIn, problem }: Props) {
  const [leaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<string>();
  const signIn = () => {
    setLeaving(true);
    setFailure(undefined);
    onSignIn().catch(() => {
      setLeaving(false);
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
            Compress, convert and cut media, and see how it went.
          </Text>
        </Stack>
        {message === undefined ? null : (
          <Callout tone="bad" urgent title="You could not be signed in">
            {message}
          </Callout>
        )}
        <Button size="md" onClick={signIn} loading={leaving} autoFocus>
          Sign in
        </Button>
      </Stack>
    </Center>
  );
}
