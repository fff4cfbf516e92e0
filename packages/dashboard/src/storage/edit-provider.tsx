import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { OperationRequest } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useApi } from '../api/api-context.tsx';
import { notifySuccess } from '../ui/action-button.tsx';
import { draftFromProvider, emptyDraft, type ProviderRequest } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { type StorageProvider, storageProvidersKey } from './use-storage-providers.ts';

type NewProvider = OperationRequest<'createStorageProvider'>['body'];

export function AddProvider() {
  const [opened, { open, close }] = useDisclosure(false);
  const { client } = useApi();
  const save = useSave({
    // The form demands a secret for a new provider.
    send: (body) => client.createStorageProvider({ body: body as NewProvider }),
    onSaved: () => {
      close();
      notifySuccess('Storage provider added', 'Test it next.');
    },
  });
  return (
    <>
      <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
        Add storage provider
      </Button>
      <ProviderDialog title="Add storage provider" opened={opened} onClose={close} onClosed={save.reset}>
        <ProviderForm
          initial={emptyDraft}
          hasSecret={false}
          onSubmit={save.mutate}
          isBusy={save.isPending}
          error={save.error}
        />
      </ProviderDialog>
    </>
  );
}

export function EditProvider({ provider, icon }: { provider: StorageProvider; icon: ReactNode }) {
  const { id, name, access, headers, storageClass, tags } = provider;
  const [opened, { open, close }] = useDisclosure(false);
  const { client } = useApi();
  const save = useSave({
    // The form has no fields for the defaults of objects: they stay.
    send: (body) => client.updateStorageProvider({ params: { id }, body: { ...body, headers, storageClass, tags } }),
    onSaved: () => {
      close();
      notifySuccess('Storage provider changed', 'Test it next.');
    },
  });
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={icon}
        aria-label={`Edit ${replaceUnsafeCharacters(name)}`}
        onClick={open}
      >
        Edit
      </Button>
      <ProviderDialog title="Edit storage provider" opened={opened} onClose={close} onClosed={save.reset}>
        <ProviderForm
          initial={draftFromProvider(provider)}
          hasSecret={access.type === 'keys'}
          onSubmit={save.mutate}
          isBusy={save.isPending}
          error={save.error}
        />
      </ProviderDialog>
    </>
  );
}

type Save = { send: (body: ProviderRequest) => Promise<unknown>; onSaved: () => void };

function useSave({ send, onSaved }: Save) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: send,
    // The request has a secret, which the cache need not keep.
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: storageProvidersKey });
      onSaved();
    },
  });
}

type DialogProps = {
  title: string;
  opened: boolean;
  onClose: () => void;
  onClosed: () => void;
  children: ReactNode;
};

function ProviderDialog({ title, opened, onClose, onClosed, children }: DialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={onClosed}
      closeOnClickOutside={false}
      title={title}
      size="lg"
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}
