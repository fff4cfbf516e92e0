import { Group, Text, TextInput } from '@mantine/core';
import { webhookTestResult } from '@media-jobs/cli/formatting';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleX, Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { ActionButton, notifySuccess } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { useSaveSettings } from './use-save-settings.ts';

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
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ defaultWebhookUrl: next });
  };
  return (
    <Section title="Default webhook">
      <form onSubmit={submit}>
        <TextInput
          type="url"
          label="URL"
          description="Receives a POST when a job ends that has no webhook URL of its own. Leave empty for none."
          placeholder="https://example.com/hooks/media"
          value={url}
          error={save.error?.message}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Group mt="md" gap="sm">
          <ActionButton type="submit" disabled={next === saved} isBusy={save.isPending}>
            Save
          </ActionButton>
          <ActionButton
            variant="default"
            leftSection={<Send size={14} aria-hidden />}
            disabled={saved === null || next !== saved}
            isBusy={test.isPending}
            onClick={() => test.mutate()}
          >
            Send test event
          </ActionButton>
          <div role="status">
            <TestResult result={test.data} error={test.error} />
          </div>
        </Group>
      </form>
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
