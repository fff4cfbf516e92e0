import '../styles/deferred.ts';
import { NativeSelect, Skeleton, Space, Stack, TextInput } from '@mantine/core';
import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/use-action.ts';
import { formatDateTime } from '../format/time.ts';
import { providerOptions, providersFor, stageBucketOption } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import { notifySuccess } from '../ui/action-button.tsx';
import { Callout } from '../ui/callout.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ErrorCallout, LoadProblem } from '../ui/error-callout.tsx';
import { Form } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { Note } from '../ui/text.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { typed } from '../ui/typed.ts';
import { useSaveSettings, useSettings } from './use-settings.ts';
import { WebhookEndpoints } from './webhook-endpoints.tsx';
import { DefaultWebhook, SigningSecret } from './webhook-settings.tsx';

export function SettingsPage() {
  const query = useSettings();
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
  return (
    <Section title="Default storage">
      <Form
        submit="Save default storage"
        onSubmit={() => save.mutate({ defaultStorageProviderId: next })}
        disabled={next === saved}
        isBusy={save.isPending}
        beside={<TextLink to="/storage">Storage providers</TextLink>}
      >
        <NativeSelect
          label="Storage provider"
          description="Receives the files of jobs that do not choose one."
          data={[stageBucketOption, ...providerOptions(providers, saved)]}
          error={save.error?.message ?? error?.message}
          {...typed(chosen, setChosen)}
        />
      </Form>
    </Section>
  );
}

/** Erases all that the service has of the account. The API refuses another ID than that of the account, and names it. */
function EraseAccount() {
  const [ownerId, setOwnerId] = useState('');
  const erase = useAction({
    act: (client) => client.eraseOwner({ body: { confirm: ownerId.trim() } }),
    // The beginning of the key of every query.
    changes: [],
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
            Icon={Eraser}
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
              {...typed(ownerId, setOwnerId)}
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
