import { UnstyledButton } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { type Shortcut, useShortcuts } from '../ui/use-shortcuts.ts';
import classes from './app-layout.module.css';

const Dialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
);

/** Shortcuts of every page, such as 1 for the first one, and a button that lists them. The dialog is loaded on first use. */
export function Shortcuts({ pages }: { pages: readonly string[] }) {
  const navigate = useNavigate();
  const [isLoaded, setIsLoaded] = useState(false);
  const [opened, setOpened] = useState(false);
  const showDialog = () => {
    setIsLoaded(true);
    setOpened(true);
  };
  useShortcuts([
    ['n', () => void navigate({ to: '/new' })],
    ...pages.map((to, index): Shortcut => [String(index + 1), () => void navigate({ to })]),
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
