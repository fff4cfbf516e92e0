import { Alert, Button, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { ApiError } from '../../client/api-error.ts';

type Props = { title: string; error: Error; onRetry?: () => void };

/** A request that failed: what it was for, why, and how to try again. */
export function Problem({ title, error, onRetry }: Props) {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert role="alert" color="red" title={title} icon={<CircleAlert aria-hidden />} variant="light">
      <Text size="sm">
        <bdi>{error.message}</bdi>
      </Text>
      {requestId === undefined ? null : (
        <Text size="xs" c="dimmed" mt={4}>
          Request <code>{requestId}</code>
        </Text>
      )}
      {onRetry === undefined ? null : (
        <Button mt="sm" size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
