import { useHotkeys, useLocalStorage } from '@mantine/hooks';

export type Shortcut = [key: string, action: () => void];

/** Whether shortcuts are enabled, stored in this browser. WCAG 2.1.4 requires a way to turn single-key shortcuts off. */
export function useShortcutsEnabled() {
  return useLocalStorage({
    key: 'media-jobs.shortcuts',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
}

/** Registers keyboard shortcuts. They do nothing while they are disabled or a dialog is open. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const [isEnabled] = useShortcutsEnabled();
  useHotkeys(
    shortcuts.map(([key, action]) => [
      key,
      (event) => {
        if (!isEnabled || document.querySelector('[role="dialog"]') !== null) return;
        event.preventDefault();
        action();
      },
      { preventDefault: false },
    ]),
  );
}
