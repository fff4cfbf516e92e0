import { Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import type { OperationResult } from '@media-jobs/client';
import { terminalStates } from '@media-jobs/core/api';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { useRead } from '../api/use-read.ts';
import { stateLabel } from '../job/state-badge.tsx';
import { SmallAction } from '../ui/action-button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { LoadProblem } from '../ui/error-callout.tsx';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { typed } from '../ui/typed.ts';

const endpointsKey = ['webhook-endpoints'];

type Endpoint = OperationResult<'listWebhookEndpoints'>['webhookEndpoints'][number];

/** Further receivers of webhooks. */
export function WebhookEndpoints() {
  const query = useRead({ key: endpointsKey, read: (client, signal) => client.listWebhookEndpoints({ signal }) });
  return (
    <Section title="Webhook endpoints">
      <Note mb="md">Up to five more receivers of webhooks, each with its own secret.</Note>
      <LoadProblem of="the endpoints" query={query} />
      <Stack gap="sm" mb="md">
        {query.data?.webhookEndpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} />
        ))}
      </Stack>
      <NewEndpoint />
    </Section>
  );
}

function EndpointRow({ endpoint }: { endpoint: Endpoint }) {
  const { id, url, disabled } = endpoint;
  const change = useAction({
    act: (client) => client.updateWebhookEndpoint({ params: { id }, body: { disabled: !disabled } }),
    changes: endpointsKey,
    failure: 'Could not change the endpoint',
  });
  const remove = useAction({
    act: (client) => client.deleteWebhookEndpoint({ params: { id } }),
    changes: endpointsKey,
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
        subject={url}
        Icon={Trash2}
        question="Remove this endpoint?"
        consequence={`${url} gets no more webhooks, not even pending ones.`}
        confirm="Remove endpoint"
        action={remove}
      />
    </Group>
  );
}

/** The form for an endpoint. Its secret is shown once. */
function NewEndpoint() {
  const [url, setUrl] = useState('');
  const [chosen, setChosen] = useState<string[]>([...terminalStates]);
  const wanted = terminalStates.filter((state) => chosen.includes(state));
  const states = wanted.length < terminalStates.length ? wanted : undefined;
  const create = useAction({
    act: (client) => client.createWebhookEndpoint({ body: { url: url.trim(), states } }),
    changes: endpointsKey,
    onDone: () => setUrl(''),
  });
  const secret = create.data?.secret;
  return (
    <>
      {secret === undefined ? null : (
        <Stack gap="xs" mb="md">
          <Text size="sm">Save the secret of the new endpoint. It is not shown again.</Text>
          <CodeBlock wraps label="Secret of the endpoint">
            {secret}
          </CodeBlock>
          <Group>
            <CopyTextButton text={secret} what="the secret of the endpoint" />
          </Group>
        </Stack>
      )}
      <Form
        submit="Add endpoint"
        onSubmit={() => create.mutate()}
        disabled={url.trim() === '' || chosen.length === 0}
        isBusy={create.isPending}
      >
        <TextInput
          type="url"
          label="URL of a new endpoint"
          placeholder="https://example.com/hooks/media"
          error={create.error?.message}
          {...typed(url, setUrl)}
        />
        <Checkbox.Group label="Sends a webhook for jobs that end as" mt="sm" value={chosen} onChange={setChosen}>
          <Group gap="md" mt="xs">
            {terminalStates.map((state) => (
              <Checkbox key={state} value={state} label={stateLabel(state)} />
            ))}
          </Group>
        </Checkbox.Group>
      </Form>
    </>
  );
}

/** What an endpoint gets, in words. */
function filterOf({ disabled, states: wanted, metadata = {} }: Endpoint): string {
  const pairs = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  return [...(disabled ? ['disabled'] : []), ...(wanted ?? ['all jobs']), ...pairs].join(', ');
}
