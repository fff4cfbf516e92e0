import { UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useShortcuts } from '../ui/use-shortcuts.ts';
import classes from './app-layout.module.css';

const Dialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
);

/** The keys that work on every page, and a button for the dialog that tells of all keys, loaded when first asked for. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const [opened, setOpened] = useState(false);
  const explain = () => {
    setAsked(true);
    setOpened(true);
  };
  useShortcuts([
    ['n', () => void navigate({ to: '/new' })],
    ['1', () => void navigate({ to: '/jobs' })],
    ['2', () => void navigate({ to: '/usage' })],
    ['3', () => void navigate({ to: '/keys' })],
    ['4', () => void navigate({ to: '/settings' })],
    // Which of the two it is depends on the keyboard.
    ['shift+?', explain],
    ['?', explain],
  ]);
  return (
    <>
      <UnstyledButton className={classes.link} w="100%" onClick={explain}>
        <Keyboard size={16} aria-hidden /> Keyboard shortcuts
      </UnstyledButton>
      {asked ? (
        <Suspense>
          <Dialog opened={opened} onClose={() => setOpened(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
