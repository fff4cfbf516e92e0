import { NativeSelect, TextInput } from '@mantine/core';
import { providerOptions, providersFor } from '../storage/provider-options.ts';
import { useStorageProviders } from '../storage/use-storage-providers.ts';
import { typed } from '../ui/typed.ts';
import type { SectionProps } from './field-props.ts';

/** The values of the select that are not ids. */
const choices = { default: 'default', stage: 'stage' };

/** Where the files go. Only for an account that has storage providers. */
export function OutputStorage({ draft: { storage }, problems, onChange }: SectionProps) {
  const { storageProviderId, key } = storage;
  const providers = providersFor('write', useStorageProviders().data ?? []);
  if (providers.length === 0 && storageProviderId === undefined && key === '') return null;
  const choose = (value: string) => {
    if (value === choices.default) onChange({ storage: { key } });
    else if (value === choices.stage) onChange({ storage: { storageProviderId: null, key: '' } });
    else onChange({ storage: { storageProviderId: value, key } });
  };
  const chosen = storageProviderId === undefined ? choices.default : (storageProviderId ?? choices.stage);
  return (
    <>
      <NativeSelect
        label="Storage"
        description="Where the files go."
        data={[
          { value: choices.default, label: 'Default from the settings' },
          { value: choices.stage, label: 'Bucket of this service' },
          ...providerOptions(providers, storageProviderId),
        ]}
        error={problems['output.storageProviderId']}
        {...typed(chosen, choose)}
      />
      {chosen === choices.stage ? null : (
        <TextInput
          label="Key"
          description="Name of each file, below the prefix of the storage provider. It may contain {jobId}, {name}, {extension} and {date}."
          placeholder="{jobId}/{name}.{extension}"
          error={problems['output.key']}
          {...typed(key, (text) => onChange({ storage: { ...storage, key: text } }))}
        />
      )}
    </>
  );
}
