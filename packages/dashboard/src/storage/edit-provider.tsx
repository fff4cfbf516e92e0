import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { replaceUnsafeCharacters } from '@media-jobs/cli/formatting';
import type { OperationRequest } from '@media-jobs/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useApi } from '../api/api-context.tsx';
import { notifySuccess } from '../ui/action-button.tsx';
import { draftFromProvider, emptyDraft, type ProviderRequest } from './provider-draft.ts';
import { ProviderForm } from './provider-form.tsx';
import { type StorageProvider, storageProvidersKey } from './use-storage-providers.ts';

export function AddProvider() {
  const { client } = useApi();
  return (
    <ProviderDialog
      title="Add storage provider"
      opener={(open) => (
        <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
          Add storage provider
        </Button>
      )}
      initial={emptyDraft}
      hasSecret={false}
      // The form demands a secret for a new provider.
      send={(body) => client.createStorageProvider({ body: body as OperationRequest<'createStorageProvider'>['body'] })}
      done="Storage provider added"
    />
  );
}

export function EditProvider({ provider, icon }: { provider: StorageProvider; icon: ReactNode }) {
  const { id, name, access, headers, storageClass, tags } = provider;
  const { client } = useApi();
  return (
    <ProviderDialog
      title="Edit storage provider"
      opener={(open) => (
        <Button
          size="xs"
          variant="default"
          leftSection={icon}
          aria-label={`Edit ${replaceUnsafeCharacters(name)}`}
          onClick={open}
        >
          Edit
        </Button>
      )}
      initial={draftFromProvider(provider)}
      hasSecret={access.type === 'keys'}
      // The form has no fields for the defaults of objects: they stay.
      send={(body) => client.updateStorageProvider({ params: { id }, body: { ...body, headers, storageClass, tags } })}
      done="Storage provider changed"
    />
  );
}

type DialogProps = Pick<ComponentProps<typeof ProviderForm>, 'initial' | 'hasSecret'> & {
  title: string;
  /** The button that opens the dialog. */
  opener: (open: () => void) => ReactNode;
  send: (body: ProviderRequest) => Promise<unknown>;
  /** The title of the notice once it is saved. */
  done: string;
};

function ProviderDialog({ title, opener, initial, hasSecret, send, done }: DialogProps) {
  const [opened, { open, close }] = useDisclosure(false);
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: send,
    // The request has a secret, which the cache need not keep.
    gcTime: 0,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: storageProvidersKey });
      close();
      notifySuccess(done, 'Test it next.');
    },
  });
  return (
    <>
      {opener(open)}
      <Modal
        opened={opened}
        onClose={close}
        onExitTransitionEnd={save.reset}
        closeOnClickOutside={false}
        title={title}
        size="lg"
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <ProviderForm
          initial={initial}
          hasSecret={hasSecret}
          onSubmit={save.mutate}
          isBusy={save.isPending}
          error={save.error}
        />
      </Modal>
    </>
  );
}
