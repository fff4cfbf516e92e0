import { UntrustedText } from '../ui/text.tsx';
import { useStorageProviders } from './use-storage-providers.ts';

/** The name of a storage provider; its id until the names are loaded, and for one that is removed. */
export function StorageProviderName({ id }: { id: string }) {
  const { data: providers = [] } = useStorageProviders();
  const name = providers.find((provider) => provider.id === id)?.name;
  return name === undefined ? <code>{id}</code> : <UntrustedText>{name}</UntrustedText>;
}
