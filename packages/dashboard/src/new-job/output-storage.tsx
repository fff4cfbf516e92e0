import { NativeSelect, TextInput } from '@mantine/core';
import { providerOptions, providersFor } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import type { Draft } from './draft.ts';

type Props = {
  storage: Draft['storage'];
  problems: Record<string, string>;
  onChange: (storage: Draft['storage']) => void;
};

/** The values of the select that are not ids. */
const choices = { default: 'default', stage: 'stage' };

/** Where the files go. Only for an account that has storage providers. */
export function OutputStorage({ storage, problems, onChange }: Props) {
  const { storageProviderId, key } = storage;
  const providers = providersFor('write', useStorageProviders().data ?? []);
  if (providers.length === 0 && storageProviderId === undefined && key === '') return null;
  const choose = (value: string) => {
    if (value === choices.default) onChange({ key });
    else if (value === choices.stage) onChange({ storageProviderId: null, key: '' });
    else onChange({ storageProviderId: value, key });
  };
  const chosen = storageProviderId === undefined ? choices.default : (storageProviderId ?? choices.stage);
  return (
    <>
      <NativeSelect
        label="Storage"
        description="Where the files go."
        value={chosen}
        data={[
          { value: choices.default, label: 'Default from the settings' },
          { value: choices.stage, label: 'Bucket of this service' },
          ...providerOptions(providers, storageProviderId),
        ]}
        error={problems['output.storageProviderId']}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {chosen === choices.stage ? null : (
        <TextInput
          label="Key"
          description="Name of each file, below the prefix of the storage provider. It may contain {jobId}, {name}, {extension} and {date}."
          placeholder="{jobId}/{name}.{extension}"
          value={key}
          error={problems['output.key']}
          onChange={({ currentTarget }) => onChange({ ...storage, key: currentTarget.value })}
        />
      )}
    </>
  );
}
