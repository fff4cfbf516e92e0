import { Group, Text, TextInput } from '@mantine/core';
import { webhookTestResult } from '@media-jobs/cli/formatting';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleCheck, CircleX, Eye, EyeOff, RefreshCw, Send } from 'lucide-react';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useRead } from '../api/use-read.ts';
import { formatDateTime } from '../format/time.ts';
import { notifyFailure, notifySuccess, SmallAction } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { DocsLink } from '../ui/docs-link.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';
import { useSaveSettings } from './use-settings.ts';

export function DefaultWebhook({ saved }: { saved: string | null }) {
  const { client } = useApi();
  const [url, setUrl] = useState(saved ?? '');
  const test = useMutation({ mutationFn: () => client.testWebhook() });
  const save = useSaveSettings(({ defaultWebhookUrl }) => {
    setUrl(defaultWebhookUrl ?? '');
    test.reset();
    notifySuccess(defaultWebhookUrl === null ? 'Default webhook removed' : 'Default webhook saved');
  });
  const next = url.trim() === '' ? null : url.trim();
  const tests = (
    <>
      <SmallAction
        size="sm"
        label="Send test event"
        Icon={Send}
        disabled={saved === null || next !== saved}
        action={test}
      />
      <div role="status">
        <TestResult result={test.data} error={test.error} />
      </div>
    </>
  );
  return (
    <Section title="Default webhook">
      <Form
        submit="Save"
        onSubmit={() => save.mutate({ defaultWebhookUrl: next })}
        disabled={next === saved}
        isBusy={save.isPending}
        beside={tests}
      >
        <TextInput
          type="url"
          label="URL"
          description="Receives a POST when a job ends that has no webhook URL of its own. Leave empty for none."
          placeholder="https://example.com/hooks/media"
          error={save.error?.message}
          {...typed(url, setUrl)}
        />
      </Form>
    </Section>
  );
}

function TestResult({ result, error }: { result: { ok: boolean; status: number } | undefined; error: Error | null }) {
  if (error !== null) return <Text size="sm">{error.message}</Text>;
  if (result === undefined) return null;
  const Icon = result.ok ? CircleCheck : CircleX;
  return (
    <Group gap={6}>
      <Icon size={16} aria-hidden />
      <Text size="sm" fw={600}>
        {webhookTestResult(result)}
      </Text>
    </Group>
  );
}

const secretKey = ['webhook-secret'];

/** The secret that signs webhooks. It is loaded only when the user asks to see it. */
export function SigningSecret() {
  const { client } = useApi();
  const queries = useQueryClient();
  const [isVisible, setIsVisible] = useState(false);
  const query = useRead({
    key: secretKey,
    read: (api, signal) => api.getWebhookSecret({ signal }),
    enabled: isVisible,
    gcTime: 0,
  });
  const rotate = useMutation({
    mutationFn: () => client.rotateWebhookSecret(),
    onSuccess: (rotated) => {
      queries.setQueryData(secretKey, rotated);
      setIsVisible(true);
      notifySuccess('Signing secret rotated', 'The previous secret also signs webhooks for 24 hours.');
    },
    onError: notifyFailure('Could not rotate the secret'),
  });
  const { data, isFetching } = query;
  const secret = isVisible ? data?.secret : undefined;
  return (
    <Section title="Signing secret">
      <Note>
        The service signs every webhook with this secret, as Standard Webhooks specifies. Verify the signature before
        you trust a message. <DocsLink term="signatures" />
      </Note>
      <CodeBlock wraps my="md" label="Signing secret">
        {secret ?? `whsec_${'•'.repeat(44)}`}
      </CodeBlock>
      {isVisible ? <LoadProblem of="the secret" query={query} /> : null}
      {secret === undefined || data?.previousSecretExpiresAt === null || data === undefined ? null : (
        <Text size="sm" mb="md">
          The previous secret also signs webhooks until {formatDateTime(data.previousSecretExpiresAt)}.
        </Text>
      )}
      <Group gap="sm">
        <SmallAction
          miw={92}
          label={isVisible ? 'Hide' : 'Show'}
          Icon={isVisible ? EyeOff : Eye}
          action={{ isPending: isFetching, mutate: () => setIsVisible(!isVisible) }}
        />
        {secret === undefined ? null : <CopyTextButton text={secret} what="the signing secret" />}
        <ConfirmButton
          label="Rotate"
          Icon={RefreshCw}
          question="Rotate the signing secret?"
          consequence="Webhooks are also signed with the previous secret for 24 hours, then with the new one only. Update your receivers before then."
          confirm="Rotate secret"
          action={rotate}
        />
      </Group>
    </Section>
  );
}
