import { Button, Code, Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { formatDateTime } from '../format/date-time.ts';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { notifyFailure, notifySuccess } from '../ui/notify.ts';
import { Section } from '../ui/section.tsx';

const queryKey = ['webhook-secret'];

/** The secret by which receivers know that a webhook is ours; fetched only when it is to be seen. */
export function SigningSecret() {
  const { client } = useApi();
  const queries = useQueryClient();
  const [isShown, setIsShown] = useState(false);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.getWebhookSecret({ signal }),
    enabled: isShown,
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => client.rotateWebhookSecret(),
    onSuccess: (rotated) => {
      queries.setQueryData(queryKey, rotated);
      setIsShown(true);
      notifySuccess('There is a new signing secret', 'The previous one signs along for 24 hours.');
    },
    onError: notifyFailure('The secret could not be rotated'),
  });
  const secret = isShown ? data?.secret : undefined;
  return (
    <Section title="Signing secret">
      <Text size="sm" c="dimmed">
        Every webhook is signed with it, as Standard Webhooks says: check the signature before you believe the
        message.
      </Text>
      <Code
        block
        my="md"
        tabIndex={0}
        aria-label="Signing secret"
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {secret ?? `whsec_${'•'.repeat(44)}`}
      </Code>
      {error === null || !isShown ? null : (
        <ErrorCallout title="The secret could not be read" error={error} onRetry={() => void refetch()} />
      )}
      {secret === undefined || data?.previousSecretExpiresAt === null || data === undefined ? null : (
        <Text size="sm" mb="md">
          The previous secret signs along until {formatDateTime(data.previousSecretExpiresAt)}.
        </Text>
      )}
      <Group gap="sm">
        <Button
          size="xs"
          variant="default"
          miw={92}
          loading={isFetching}
          leftSection={isShown ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
        {secret === undefined ? null : <CopyTextButton text={secret} what="the signing secret" />}
        <ConfirmButton
          label="Rotate"
          icon={<RefreshCw size={14} aria-hidden />}
          question="Rotate the signing secret?"
          consequence="Webhooks are signed with both secrets for 24 hours, then with the new one alone. Receivers need it by then."
          confirm="Rotate the secret"
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate()}
        />
      </Group>
    </Section>
  );
}
