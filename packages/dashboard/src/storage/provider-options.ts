import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';

type Provider = { id: string; name: string; bucket: string; allows?: string | undefined };

export type SelectOption = { value: string; label: string };

export const stageBucketOption: SelectOption = { value: '', label: 'Bucket of this service' };

/** The providers that jobs may use in this way. Only a bucket of the service restricts it. */
export function providersFor<P extends Provider>(use: 'read' | 'write', providers: readonly P[]): P[] {
  return providers.filter(({ allows = 'read-write' }) => allows.includes(use));
}

/** The storage providers as options of a select. `chosen` has one even if it is not in the list. */
export function providerOptions(providers: readonly Provider[], chosen: string | null | undefined): SelectOption[] {
  const options = providers.map(({ id, name, bucket }) => ({
    value: id,
    label: replaceUnsafeCharacters(`${name} (${bucket})`),
  }));
  const isMissing = typeof chosen === 'string' && !options.some(({ value }) => value === chosen);
  return isMissing ? [...options, { value: chosen, label: chosen }] : options;
}
