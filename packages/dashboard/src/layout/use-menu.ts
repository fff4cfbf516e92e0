import { useHotkeys } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { focusPage, pageId } from '../ui/page.tsx';

/**
 * The menu of a narrow window, which covers the page. It closes on navigation, on Escape, and when the focus moves to the
 * page. A new page gets the focus once it is loaded, so that a screen reader says its title.
 */
export function useMenu(button: RefObject<HTMLButtonElement | null>) {
  const router = useRouter();
  const [opened, setOpened] = useState(false);
  const wasOpened = useRef(opened);
  wasOpened.current = opened;
  useEffect(
    () =>
      router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
        if (fromLocation === undefined) return;
        setOpened(false);
        if (pathChanged || wasOpened.current) focusPage();
      }),
    [router],
  );
  useEffect(() => {
    if (!opened) return;
    const stopped = new AbortController();
    const close = ({ target }: FocusEvent) => {
      if (target instanceof Node && document.getElementById(pageId)?.contains(target)) setOpened(false);
    };
    document.addEventListener('focusin', close, { signal: stopped.signal });
    return () => stopped.abort();
  }, [opened]);
  const closeByKey = () => {
    if (!opened || document.querySelector('[role="dialog"]') !== null) return;
    setOpened(false);
    button.current?.focus();
  };
  useHotkeys([['Escape', closeByKey, { preventDefault: false }]]);
  return { opened, toggle: () => setOpened(!opened) };
}
