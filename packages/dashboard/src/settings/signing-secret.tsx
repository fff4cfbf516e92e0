import { Group, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, EyeOff, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { formatDateTime } from '../format/time.ts';
import { ActionButton, notifyFailure, notifySuccess } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';

const queryKey = ['webhook-secret'];

/** The secret that signs webhooks. It is loaded only when the user asks to see it. */
export function SigningSecret() {
  const { client } = useApi();
  const queries = useQueryClient();
  const [isVisible, setIsVisible] = useState(false);
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.getWebhookSecret({ signal }),
    enabled: isVisible,
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => client.rotateWebhookSecret(),
    onSuccess: (rotated) => {
      queries.setQueryData(queryKey, rotated);
      setIsVisible(true);
      notifySuccess('Signing secret rotated', 'The previous secret also signs webhooks for 24 hours.');
    },
    onError: notifyFailure('Could not rotate the secret'),
  });
  const { data, isFetching } = query;
  const secret = isVisible ? data?.secret : undefined;
  return (
    <Section title="Signing secret">
      <Text size="sm" c="dimmed">
        The service signs every webhook with this secret, as Standard Webhooks specifies. Verify the signature before
        you trust a message. <DocsLink term="signatures" />
      </Text>
      <CodeBlock my="md" label="Signing secret" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {secret ?? `whsec_${'•'.repeat(44)}`}
      </CodeBlock>
      {isVisible ? <LoadProblem of="the secret" query={query} /> : null}
      {secret === undefined || data?.previousSecretExpiresAt === null || data === undefined ? null : (
        <Text size="sm" mb="md">
          The previous secret also signs webhooks until {formatDateTime(data.previousSecretExpiresAt)}.
        </Text>
      )}
      <Group gap="sm">
        <ActionButton
          size="xs"
          variant="default"
          miw={92}
          isBusy={isFetching}
          leftSection={isVisible ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          onClick={() => setIsVisible(!isVisible)}
        >
          {isVisible ? 'Hide' : 'Show'}
        </ActionButton>
        {secret === undefined ? null : <CopyTextButton text={secret} what="the signing secret" />}
        <ConfirmButton
          label="Rotate"
          icon={<RefreshCw size={14} aria-hidden />}
          question="Rotate the signing secret?"
          consequence="Webhooks are also signed with the previous secret for 24 hours, then with the new one only. Update your receivers before then."
          confirm="Rotate secret"
          action={rotate}
        />
      </Group>
    </Section>
  );
}
