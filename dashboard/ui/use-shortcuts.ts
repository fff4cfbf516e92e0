import { useHotkeys, useLocalStorage } from '@mantine/hooks';

type Shortcut = [key: string, act: () => void];

/**
 * Whether single letters do something, as this browser keeps it: whoever speaks to their computer must be able to turn
 * them off (WCAG 2.1.4).
 */
export function useShortcutsEnabled() {
  return useLocalStorage({
    key: 'media-jobs.shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
}

/** Keys that do something on a page: unless they are turned off, and never under an open dialog. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const [areOn] = useShortcutsEnabled();
  useHotkeys(
    shortcuts.map(([key, act]) => [
      key,
      (event) => {
        if (!areOn || document.querySelector('[role="dialog"]') !== null) return;
        event.preventDefault();
        act();
      },
      { preventDefault: false },
    ]),
  );
}
