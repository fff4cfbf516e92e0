import { Button, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';

type Props = {
  label: string;
  icon: ReactNode;
  question: ReactNode;
  consequence: ReactNode;
  /** Choices below the consequence. */
  children?: ReactNode;
  /** Whether the choices allow it. */
  isAllowed?: boolean;
  confirm: string;
  action: { isPending: boolean; mutate: () => void };
  /** Accessible name, for a page with several such buttons. */
  ariaLabel?: string;
};

/** A button for an action that cannot be undone: it asks for confirmation. */
export function ConfirmButton({
  label,
  icon,
  question,
  consequence,
  children,
  isAllowed = true,
  confirm,
  action,
  ariaLabel,
}: Props) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <ActionButton
        variant="default"
        size="xs"
        leftSection={icon}
        onClick={open}
        isBusy={action.isPending}
        aria-label={ariaLabel}
      >
        {label}
      </ActionButton>
      <Modal opened={opened} onClose={close} title={question} centered closeButtonProps={{ 'aria-label': 'Close' }}>
        <Text size="sm">{consequence}</Text>
        {children}
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={close} data-autofocus>
            Cancel
          </Button>
          <Button
            color="red.9"
            disabled={!isAllowed}
            onClick={() => {
              close();
              action.mutate();
            }}
          >
            {confirm}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
