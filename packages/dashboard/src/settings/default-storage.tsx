import { Group, NativeSelect } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { providerOptions, providersFor, stageBucketOption } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import { ActionButton, notifySuccess } from '../ui/action-button.tsx';
import { Section } from '../ui/section.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useSaveSettings } from './use-save-settings.ts';

/** The storage provider of jobs that name none. */
export function DefaultStorage({ saved }: { saved: string | null }) {
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
