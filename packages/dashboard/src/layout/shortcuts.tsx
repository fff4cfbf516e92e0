import { UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import classes from './app-layout.module.css';

const Dialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
);

/** Shortcuts of every page, and a button that opens the list of shortcuts. The dialog is loaded on first use. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isLoaded, setIsLoaded] = useState(false);
  const [opened, setOpened] = useState(false);
  const showDialog = () => {
    setIsLoaded(true);
    setOpened(true);
  };
  useShortcuts([
    ['n', () => void navigate({ to: '/new' })],
    ['1', () => void navigate({ to: '/jobs' })],
    ['2', () => void navigate({ to: '/usage' })],
    ['3', () => void navigate({ to: '/storage' })],
    ['4', () => void navigate({ to: '/keys' })],
    ['5', () => void navigate({ to: '/settings' })],
    // The keyboard layout decides which of the two is sent.
    ['shift+?', showDialog],
    ['?', showDialog],
  ]);
  return (
    <>
      <UnstyledButton className={classes.link} w="100%" onClick={showDialog}>
        <Keyboard size={16} aria-hidden /> Keyboard shortcuts
      </UnstyledButton>
      {isLoaded ? (
        <Suspense>
          <Dialog opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
