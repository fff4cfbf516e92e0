import { Button, Text } from '@mantine/core';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import { ApiError } from '@media-jobs/client';
import { Callout } from './callout.tsx';

type Props = { title: string; error: Error; onRetry?: () => void };

export function ErrorCallout({ title, error, onRetry }: Props) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Callout tone="error" title={title} urgent>
      <UntrustedText>{error.message}</UntrustedText>
      {requestId === undefined ? null : (
        <Text size="xs" c="dimmed" mt={4}>
          Request <code>{requestId}</code>
        </Text>
      )}
      {onRetry === undefined ? null : (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry} style={{ display: 'block' }}>
          Try again
        </Button>
      )}
    </Callout>
  );
}

type LoadProblemProps = {
  /** What could not be loaded, such as `the log`. */
  of: string;
  query: { error: Error | null; refetch: () => unknown };
};

/** Why a query has failed, with a button that tries again; nothing if it has not. */
export function LoadProblem({ of, query: { error, refetch } }: LoadProblemProps) {
  if (error === null) return null;
  return <ErrorCallout title={`Could not load ${of}`} error={error} onRetry={() => void refetch()} />;
}

/** Text from outside, such as a file name or an error: sanitized, and isolated from the surrounding text direction. */
export function UntrustedText({ children }: { children: string }) {
  return <bdi>{replaceUnsafeCharacters(children)}</bdi>;
}
