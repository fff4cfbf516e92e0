import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { type StoredInput, storageUrl } from '@media-jobs/core/api';
import { Database, X } from 'lucide-react';
import { providerOptions, providersFor } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';

type Props = {
  source: StoredInput;
  error: string | undefined;
  onChange: (source: string) => void;
};

export function StoredSourceInput({ source, error, onChange }: Props) {
  const { storageProviderId, key } = source;
  const providers = providersFor('read', useStorageProviders().data ?? []);
  return (
    <>
      <NativeSelect
        label="Storage provider"
        value={storageProviderId}
        data={providerOptions(providers, storageProviderId)}
        onChange={({ currentTarget }) => onChange(storageUrl({ storageProviderId: currentTarget.value, key }))}
      />
      <TextInput
        mt="md"
        label="Key of the object"
        description="Below the prefix of the storage provider."
        placeholder="video.mp4"
        value={key}
        error={error}
        onChange={({ currentTarget }) => onChange(storageUrl({ storageProviderId, key: currentTarget.value }))}
      />
      <Group mt="md">
        <Button size="xs" variant="default" leftSection={<X size={14} aria-hidden />} onClick={() => onChange('')}>
          Use a file or URL
        </Button>
      </Group>
    </>
  );
}

/** A button that chooses the first storage provider. Nothing for an account without one. */
export function ChooseStoredSource({ onChange }: Pick<Props, 'onChange'>) {
  const [first] = providersFor('read', useStorageProviders().data ?? []);
  if (first === undefined) return null;
  return (
    <Button
      mt="md"
      size="xs"
      variant="default"
      leftSection={<Database size={14} aria-hidden />}
      onClick={() => onChange(storageUrl({ storageProviderId: first.id, key: '' }))}
    >
      Use a storage provider
    </Button>
  );
}
