import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OperationRequest } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus } from 'lucide-react';
import { useApi } from '../api/api-context.tsx';
import { notifySuccess, SmallAction } from '../ui/action-button.tsx';
import type { ProviderRequest } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { type StorageProvider, storageProvidersKey } from './use-storage-providers.ts';

type NewProvider = OperationRequest<'createStorageProvider'>['body'];

/** A button that opens the form of a storage provider, or of a new one. */
export function EditProvider({ provider }: { provider?: StorageProvider }) {
  const { client } = useApi();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure(false);
  const isNew = provider === undefined;
  const save = useMutation({
    mutationFn: async (body: ProviderRequest) => {
      // The form demands a secret for a new provider.
      if (provider === undefined) return client.createStorageProvider({ body: body as NewProvider });
      // The form has no fields for the defaults of objects: they stay.
      const { id, headers, storageClass, tags } = provider;
      return client.updateStorageProvider({ params: { id }, body: { ...body, headers, storageClass, tags } });
    },
    // The request has a secret, which the cache need not keep.
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: storageProvidersKey });
      close();
      notifySuccess(isNew ? 'Storage provider added' : 'Storage provider changed', 'Test it next.');
    },
  });
  return (
    <>
      {isNew ? (
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          Add storage provider
        </Button>
      ) : (
        <SmallAction label="Edit" subject={provider.name} Icon={Pencil} action={{ isPending: false, mutate: open }} />
      )}
      <Modal
        opened={opened}
        onClose={close}
        onExitTransitionEnd={save.reset}
        closeOnClickOutside={false}
        title={isNew ? 'Add storage provider' : 'Edit storage provider'}
        size="lg"
      >
        <ProviderForm provider={provider} onSubmit={save.mutate} isBusy={save.isPending} error={save.error} />
      </Modal>
    </>
  );
}
