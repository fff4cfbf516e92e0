import { Button } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Menu, Plus, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import classes from './app-frame.module.css';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';

const Notifier = lazy(() =>
  import('./notifier.tsx').then(({ Notifier: component }) => ({ default: component })),
);

/** What surrounds every page: the menu, a way to a new job, the shortcuts and the notifications. */
export function AppFrame() {
  const [opened, setOpened] = useState(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes because the path has changed.
  useEffect(() => setOpened(false), [path]);
  const Icon = opened ? X : Menu;
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <nav className={classes.bar} aria-label="Top">
        <button
          type="button"
          className={classes.menuButton}
          aria-label="Menu"
          aria-expanded={opened}
          aria-controls="menu"
          onClick={() => setOpened(!opened)}
        >
          <Icon size={20} aria-hidden />
        </button>
        <Mark size={24} />
        <Button component={Link} to="/new" size="sm" ml="auto" leftSection={<Plus size={16} aria-hidden />}>
          New job
        </Button>
      </nav>
      <nav id="menu" className={classes.menu} data-opened={opened || undefined} aria-label="Main">
        <Navigation />
      </nav>
      <main id="page" tabIndex={-1} className={classes.page}>
        <Outlet />
      </main>
      <Shortcuts />
      <Suspense>
        <Notifier />
      </Suspense>
    </div>
  );
}
