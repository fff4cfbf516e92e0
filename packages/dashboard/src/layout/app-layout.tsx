import { Button } from '@mantine/core';
import { Link, Outlet } from '@tanstack/react-router';
import { Menu, Plus, X } from 'lucide-react';
import { lazy, Suspense, useRef } from 'react';
import { Logo } from '../ui/logo.tsx';
import { pageId, pageTitleId } from '../ui/page.tsx';
import classes from './app-layout.module.css';
import { Navigation } from './navigation.tsx';
import { useMenu } from './use-menu.ts';

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
        <button
          ref={menuButton}
          type="button"
          className={classes.menuButton}
          aria-label="Menu"
          aria-expanded={opened}
          aria-controls="menu"
          onClick={toggle}
        >
          <Icon size={20} aria-hidden />
        </button>
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
