import { Button } from '@mantine/core';
import { ApiError } from '@media-jobs/client';
import { Callout } from './callout.tsx';
import { Note, UntrustedText } from './text.tsx';

export function ErrorCallout({ title, error, onRetry }: { title: string; error: Error; onRetry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Callout tone="error" title={title} urgent>
      <UntrustedText>{error.message}</UntrustedText>
      {requestId === undefined ? null : (
        <Note size="xs" mt={4}>
          Request <code>{requestId}</code>
        </Note>
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
