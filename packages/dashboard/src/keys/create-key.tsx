import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Plus } from 'lucide-react';
import { useAction } from '../api/use-action.ts';
import { Callout } from '../ui/callout.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { CopyTextButton } from '../ui/copy-buttons.tsx';
import { NewKeyForm, type NewKeyRequest } from './new-key-form.tsx';

export function CreateKey() {
  const [opened, { open, close }] = useDisclosure(false);
  const create = useAction({
    act: (client, body: NewKeyRequest) => client.createKey({ body }),
    changes: ['keys'],
  });
  const value = create.data?.key;
  return (
    <>
      <Button size="sm" leftSection={<Plus size={16} aria-hidden />} onClick={open}>
        Create key
      </Button>
      <Modal
        opened={opened}
        // The key is shown only once, so it must not disappear by accident, nor before it is there.
        onClose={() => create.isPending || close()}
        closeOnClickOutside={value === undefined}
        closeOnEscape={value === undefined}
        onExitTransitionEnd={create.reset}
        title={value === undefined ? 'Create API key' : 'Save your API key'}
        centered
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {value === undefined ? (
          <NewKeyForm onSubmit={create.mutate} isBusy={create.isPending} error={create.error?.message} />
        ) : (
          <NewKey value={value} onDone={close} />
        )}
      </Modal>
    </>
  );
}

function NewKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <Stack gap="md">
      <Callout tone="warning" title="You can see this key only once">
        The service stores only a hash of the key and cannot show it again.
      </Callout>
      <CodeBlock label="New API key" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
        {value}
      </CodeBlock>
      <Group justify="space-between">
        <CopyTextButton text={value} what="the key" />
        <Button onClick={onDone}>Done</Button>
      </Group>
    </Stack>
  );
}
