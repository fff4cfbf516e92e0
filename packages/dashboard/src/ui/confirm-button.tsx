import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ComponentProps, ReactNode } from 'react';
import { SmallAction } from './action-button.tsx';
import { UntrustedText } from './text.tsx';

type Props = Pick<ComponentProps<typeof SmallAction>, 'label' | 'subject' | 'Icon' | 'action'> & {
  /** Without one it is of the label and the subject. */
  question?: string;
  consequence: string;
  /** Choices below the consequence. */
  children?: ReactNode;
  /** Whether the choices allow it. */
  isAllowed?: boolean;
  confirm: string;
};

/** A button for an action that cannot be undone: it asks for confirmation. */
export function ConfirmButton({ action, isAllowed = true, question, consequence, children, confirm, ...of }: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  const { label, subject = '' } = of;
  const ofSubject = (
    <>
      {label} “<UntrustedText>{subject}</UntrustedText>”?
    </>
  );
  const act = () => {
    close();
    action.mutate();
  };
  return (
    <>
      <SmallAction {...of} action={{ isPending: action.isPending, mutate: open }} />
      <Modal opened={opened} onClose={close} title={question ?? ofSubject}>
        <Text size="sm">{consequence}</Text>
        {children}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button color="red.9" disabled={!isAllowed} onClick={act}>
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
