import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import type { OperationRequest, OperationResult } from '@media-jobs/client';
import { terminalStates } from '@media-jobs/core/api';
import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useAction } from '../api/use-action.ts';
import { stateLabel } from '../job/state-badge.tsx';
import { ActionButton, SmallAction } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';

const queryKey = ['webhook-endpoints'];

type Endpoint = OperationResult<'listWebhookEndpoints'>['webhookEndpoints'][number];
type NewEndpointBody = OperationRequest<'createWebhookEndpoint'>['body'];

/** Further receivers of webhooks. The secret of a new one is shown once. */
export function WebhookEndpoints() {
  const { client } = useApi();
  const query = useQuery({ queryKey, queryFn: ({ signal }) => client.listWebhookEndpoints({ signal }) });
  const create = useAction({
    act: (api, body: NewEndpointBody) => api.createWebhookEndpoint({ body }),
    changes: queryKey,
  });
  return (
    <Section title="Webhook endpoints">
      <Note mb="md">Up to five more receivers of webhooks, each with its own secret.</Note>
      <LoadProblem of="the endpoints" query={query} />
      <Stack gap="sm" mb="md">
        {query.data?.webhookEndpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} />
        ))}
      </Stack>
      {create.data === undefined ? null : (
        <Stack gap="xs" mb="md">
          <Text size="sm">Save the secret of the new endpoint. It is not shown again.</Text>
          <CodeBlock wraps label="Secret of the endpoint">
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

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, disabled } = endpoint;
  const change = useAction({
    act: (client) => client.updateWebhookEndpoint({ params: { id }, body: { disabled: !disabled } }),
    changes: queryKey,
    failure: 'Could not change the endpoint',
  });
  const remove = useAction({
    act: (client) => client.deleteWebhookEndpoint({ params: { id } }),
    changes: queryKey,
    failure: 'Could not remove the endpoint',
  });
  return (
    <Group gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere', flex: 1 }}>
        {url} ({filterOf(endpoint)})
      </Text>
      <SmallAction label={disabled ? 'Enable' : 'Disable'} subject={url} action={change} />
      <ConfirmButton
        label="Remove"
        ariaLabel={`Remove ${url}`}
        icon={<Trash2 size={14} aria-hidden />}
        question="Remove this endpoint?"
        consequence={`${url} gets no more webhooks, not even pending ones.`}
        confirm="Remove endpoint"
        action={remove}
      />
    </Group>
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
