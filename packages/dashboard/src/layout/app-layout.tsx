import { Button, UnstyledButton } from '@mantine/core';
import { useHotkeys, useWindowEvent } from '@mantine/hooks';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { Menu, Plus, X } from 'lucide-react';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Logo } from '../ui/logo.tsx';
import { focusPage, pageId, pageTitleId } from '../ui/page.tsx';
import classes from './app-layout.module.css';
import { Navigation } from './navigation.tsx';

const Notifier = lazy(() => import('../ui/notifier.tsx').then(({ Notifier: component }) => ({ default: component })));

export function AppLayout() {
  const menuButton = useRef<HTMLButtonElement>(null);
  const { opened, toggle } = useMenu(menuButton);
  const Icon = opened ? X : Menu;
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href={`#${pageId}`}>
        Skip to content
      </a>
      <nav className={classes.bar} aria-label="Top">
        <UnstyledButton
          ref={menuButton}
          display="grid"
          w={36}
          h={36}
          bdrs={8}
          style={{ placeContent: 'center' }}
          aria-label="Menu"
          aria-expanded={opened}
          aria-controls="menu"
          onClick={toggle}
        >
          <Icon size={20} aria-hidden />
        </UnstyledButton>
        <Logo size={24} />
        <Button component={Link} to="/new" size="sm" ml="auto" leftSection={<Plus size={16} aria-hidden />}>
          New job
        </Button>
      </nav>
      <nav id="menu" className={classes.menu} data-opened={opened || undefined} aria-label="Main">
        <Navigation />
      </nav>
      <main id={pageId} tabIndex={-1} aria-labelledby={pageTitleId} className={classes.page}>
        <Outlet />
      </main>
      <Suspense>
        <Notifier />
      </Suspense>
    </div>
  );
}

/**
 * The menu of a narrow window, which covers the page. It closes on navigation, on Escape, and when the focus moves to the
 * page. A new page gets the focus once it is loaded, so that a screen reader says its title.
 */
function useMenu(button: RefObject<HTMLButtonElement | null>) {
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
  useWindowEvent('focusin', ({ target }) => {
    if (target instanceof Node && document.getElementById(pageId)?.contains(target)) setOpened(false);
  });
  const closeByKey = () => {
    if (!opened || document.querySelector('[role="dialog"]') !== null) return;
    setOpened(false);
    button.current?.focus();
  };
  useHotkeys([['Escape', closeByKey, { preventDefault: false }]]);
  return { opened, toggle: () => setOpened(!opened) };
}
