import '../styles/deferred.ts';
import { Group, NativeSelect, Skeleton, Space, Stack, TextInput } from '@mantine/core';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Eraser } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { providerOptions, providersFor, stageBucketOption } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import { ActionButton, notifySuccess } from '../ui/action-button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ErrorCallout, LoadProblem } from '../ui/error-callout.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useSaveSettings } from './use-save-settings.ts';
import { WebhookEndpoints } from './webhook-endpoints.tsx';
import { DefaultWebhook, SigningSecret } from './webhook-settings.tsx';

export function SettingsPage() {
  const { client } = useApi();
  const query = useQuery({ queryKey: ['settings'], queryFn: ({ signal }) => client.getSettings({ signal }) });
  const { data } = query;
  return (
    <Page title="Settings" lead="Settings apply to all jobs and everyone in this account.">
      <LoadProblem of="settings" query={query} />
      {query.isPending ? <Skeleton height={220} aria-label="Loading settings" /> : null}
      {data === undefined ? null : (
        <Stack gap="lg" maw={760}>
          <DefaultWebhook saved={data.defaultWebhookUrl} />
          <SigningSecret />
          <WebhookEndpoints />
          <DefaultStorage saved={data.defaultStorageProviderId} />
          <EraseAccount />
        </Stack>
      )}
    </Page>
  );
}

/** The storage provider of jobs that name none. */
function DefaultStorage({ saved }: { saved: string | null }) {
  const { data = [], error } = useStorageProviders();
  const providers = providersFor('write', data);
  const [chosen, setChosen] = useState(saved ?? '');
  const save = useSaveSettings(() => notifySuccess('Default storage saved'));
  const next = chosen === '' ? null : chosen;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ defaultStorageProviderId: next });
  };
  return (
    <Section title="Default storage">
      <form onSubmit={submit}>
        <NativeSelect
          label="Storage provider"
          description="Receives the files of jobs that do not choose one."
          value={chosen}
          data={[stageBucketOption, ...providerOptions(providers, saved)]}
          error={save.error?.message ?? error?.message}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <Group mt="md" gap="md">
          <ActionButton type="submit" disabled={next === saved} isBusy={save.isPending}>
            Save default storage
          </ActionButton>
          <TextLink to="/storage">Storage providers</TextLink>
        </Group>
      </form>
    </Section>
  );
}

/** The beginning of the key of every query. */
const everything: QueryKey = [];

/** Erases all that the service has of the account. The API refuses another ID than that of the account, and names it. */
function EraseAccount() {
  const [ownerId, setOwnerId] = useState('');
  const erase = useAction({
    act: (client) => client.eraseOwner({ body: { confirm: ownerId.trim() } }),
    changes: everything,
  });
  return (
    <Section title="Erase everything">
      {erase.data === undefined ? (
        <>
          <Note mb="xs">
            Cancels all jobs, revokes all API keys, and deletes all jobs, files, presets and settings of this account
            within 24 hours. Files at a storage provider stay.
          </Note>
          {erase.error === null ? null : <ErrorCallout title="Nothing was erased" error={erase.error} />}
          <Space h="md" />
          <ConfirmButton
            label="Erase everything"
            icon={<Eraser size={14} aria-hidden />}
            question="Erase everything?"
            consequence="All jobs, files, keys and settings of everyone in this account will be gone. You cannot undo this."
            confirm="Erase everything"
            isAllowed={ownerId.trim() !== ''}
            action={erase}
          >
            <TextInput
              mt="md"
              label="Account ID"
              description="Type it to confirm. A wrong ID erases nothing, and the answer names the right one."
              autoComplete="off"
              value={ownerId}
              onChange={({ currentTarget }) => setOwnerId(currentTarget.value)}
            />
          </ConfirmButton>
        </>
      ) : (
        <Callout tone="warning" title="This account is being erased" urgent>
          Everything is gone by {formatDateTime(erase.data.endsBy)}. Nothing can be changed until then.
        </Callout>
      )}
    </Section>
  );
}
