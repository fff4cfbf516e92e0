import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { terminalStates } from '@media-jobs/core/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { stateLabel } from '../job/state-badge.tsx';
import { ActionButton, notifyFailure } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { ErrorCallout } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';

const queryKey = ['webhook-endpoints'];

type Endpoint = OperationResult<'listWebhookEndpoints'>['webhookEndpoints'][number];
type NewEndpointBody = OperationRequest<'createWebhookEndpoint'>['body'];

/** Further receivers of webhooks. The secret of a new one is shown once. */
export function WebhookEndpoints() {
  const { client } = useApi();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.listWebhookEndpoints({ signal }),
  });
  const reload = () => queries.invalidateQueries({ queryKey });
  const create = useMutation({
    mutationFn: (body: NewEndpointBody) => client.createWebhookEndpoint({ body }),
    onSuccess: reload,
  });
  const change = useMutation({
    mutationFn: ({ id, disabled }: Endpoint) =>
      client.updateWebhookEndpoint({ params: { id }, body: { disabled: !disabled } }),
    onSuccess: reload,
    onError: notifyFailure('Could not change the endpoint'),
  });
  const remove = useMutation({
    mutationFn: (id: string) => client.deleteWebhookEndpoint({ params: { id } }),
    onSuccess: reload,
    onError: notifyFailure('Could not remove the endpoint'),
  });
  return (
    <Section title="Webhook endpoints">
      <Text size="sm" c="dimmed" mb="md">
        Up to five more receivers of webhooks, each with its own secret.
      </Text>
      {error === null ? null : (
        <ErrorCallout title="Could not load the endpoints" error={error} onRetry={() => void refetch()} />
      )}
      <Stack gap="sm" mb="md">
        {data?.webhookEndpoints.map((endpoint) => (
          <Group key={endpoint.id} gap="sm">
            <Text size="sm" style={{ overflowWrap: 'anywhere', flex: 1 }}>
              {endpoint.url} ({filterOf(endpoint)})
            </Text>
            <ActionButton
              size="xs"
              variant="default"
              aria-label={`${endpoint.disabled ? 'Enable' : 'Disable'} ${endpoint.url}`}
              isBusy={change.isPending}
              onClick={() => change.mutate(endpoint)}
            >
              {endpoint.disabled ? 'Enable' : 'Disable'}
            </ActionButton>
            <ConfirmButton
              label="Remove"
              ariaLabel={`Remove ${endpoint.url}`}
              icon={<Trash2 size={14} aria-hidden />}
              question="Remove this endpoint?"
              consequence={`${endpoint.url} gets no more webhooks, not even pending ones.`}
              confirm="Remove endpoint"
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate(endpoint.id)}
            />
          </Group>
        ))}
      </Stack>
      {create.data === undefined ? null : (
        <Stack gap="xs" mb="md">
          <Text size="sm">Save the secret of the new endpoint. It is not shown again.</Text>
          <CodeBlock label="Secret of the endpoint" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
            {create.data.secret}
          </CodeBlock>
          <Group>
            <CopyTextButton text={create.data.secret} what="the secret of the endpoint" />
          </Group>
        </Stack>
      )}
      <NewEndpoint error={create.error?.message} isBusy={create.isPending} onSubmit={create.mutate} />
    </Section>
  );
}

type NewEndpointProps = {
  error: string | undefined;
  isBusy: boolean;
  onSubmit: (endpoint: NewEndpointBody, options: { onSuccess: () => void }) => void;
};

function NewEndpoint({ error, isBusy, onSubmit }: NewEndpointProps) {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string[]>([...terminalStates]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = terminalStates.filter((state) => chosen.includes(state));
    const endpoint = { url: url.trim(), ...(wanted.length < terminalStates.length && { states: wanted }) };
    onSubmit(endpoint, { onSuccess: () => setUrl('') });
  };
  return (
    <form onSubmit={submit}>
      <TextInput
        type="url"
        label="URL of a new endpoint"
        placeholder="https://example.com/hooks/media"
        value={url}
        error={error}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <Checkbox.Group label="Sends a webhook for jobs that end as" mt="sm" value={chosen} onChange={setChosen}>
        <Group gap="md" mt="xs">
          {terminalStates.map((state) => (
            <Checkbox key={state} value={state} label={stateLabel(state)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group mt="md">
        <ActionButton type="submit" disabled={url.trim() === '' || chosen.length === 0} isBusy={isBusy}>
          Add endpoint
        </ActionButton>
      </Group>
    </form>
  );
}

/** What an endpoint gets, in words. */
function filterOf({ disabled, states: wanted, metadata = {} }: Endpoint): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  return [...(disabled ? ['disabled'] : []), ...(wanted ?? ['all jobs']), ...pairs].join(', ');
}
