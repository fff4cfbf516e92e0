import { useHotkeys } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';

const Dialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
);

/** The keys that work on every page, and the dialog that tells of all keys, loaded when first asked for. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const [opened, setOpened] = useState(false);
  const explain = () => {
    setAsked(true);
    setOpened(true);
  };
  useHotkeys([
    ['n', () => void navigate({ to: '/new' })],
    ['1', () => void navigate({ to: '/jobs' })],
    ['2', () => void navigate({ to: '/usage' })],
    ['3', () => void navigate({ to: '/keys' })],
    ['4', () => void navigate({ to: '/settings' })],
    // Which of the two it is depends on the keyboard.
    ['shift+?', explain],
    ['?', explain],
  ]);
  if (!asked) return null;
  return (
    <Suspense>
      <Dialog opened={opened} onClose={() => setOpened(false)} />
    </Suspense>
  );
}
