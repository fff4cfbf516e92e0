import { Group, NativeSelect, TextInput } from '@mantine/core';
import { type StoredInput, storageUrl } from '@media-jobs/core/api';
import { Database, X } from 'lucide-react';
import { providerOptions, providersFor } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import { SmallButton } from '../ui/action-button.tsx';
import { typed } from '../ui/typed.ts';
import type { ValueProps } from './field-props.ts';
import { ChosenFile, FileDropZone } from './file-inputs.tsx';
import { type Source, storedSourceOf } from './source.ts';

/** The input of a job: a file to upload, a URL, or an object of a storage provider. */
export function SourceInput({ value: source, error, onChange }: ValueProps<Source>) {
  if (source instanceof File)
    return <ChosenFile file={source} label="Source" error={error} onRemove={() => onChange('')} />;
  const stored = storedSourceOf(source);
  if (stored !== undefined) return <StoredSourceInput source={stored} error={error} onChange={onChange} />;
  return (
    <>
      <FileDropZone multiple={false} onDrop={([file]) => file !== undefined && onChange(file)} />
      <TextInput
        mt="md"
        type="url"
        label="Or paste a URL"
        placeholder="https://example.com/video.mp4"
        error={error}
        {...typed(source, onChange)}
      />
      <ChooseStoredSource onChange={onChange} />
    </>
  );
}

type StoredSourceProps = { source: StoredInput; error: string | undefined; onChange: (source: string) => void };

function StoredSourceInput({ source: { storageProviderId, key }, error, onChange }: StoredSourceProps) {
  const providers = providersFor('read', useStorageProviders().data ?? []);
  return (
    <>
      <NativeSelect
        label="Storage provider"
        data={providerOptions(providers, storageProviderId)}
        {...typed(storageProviderId, (id) => onChange(storageUrl({ storageProviderId: id, key })))}
      />
      <TextInput
        mt="md"
        label="Key of the object"
        description="Below the prefix of the storage provider."
        placeholder="video.mp4"
        error={error}
        {...typed(key, (text) => onChange(storageUrl({ storageProviderId, key: text })))}
      />
      <Group mt="md">
        <SmallButton Icon={X} onClick={() => onChange('')}>
          Use a file or URL
        </SmallButton>
      </Group>
    </>
  );
}

/** A button that chooses the first storage provider. Nothing for an account without one. */
function ChooseStoredSource({ onChange }: Pick<StoredSourceProps, 'onChange'>) {
  const [first] = providersFor('read', useStorageProviders().data ?? []);
  if (first === undefined) return null;
  return (
    <SmallButton Icon={Database} mt="md" onClick={() => onChange(storageUrl({ storageProviderId: first.id, key: '' }))}>
      Use a storage provider
    </SmallButton>
  );
}
