import { AppShell, Burger, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import classes from './app-frame.module.css';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';

/** What surrounds every page: the menu, a way to a new job, and the shortcuts. */
export function AppFrame() {
  const [opened, { toggle, close }] = useDisclosure(false);
  const _path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [close]);
  return (
    <AppShell
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 224, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      transitionDuration={0}
    >
      <a className={classes.skip} href="#page">
        Skip to the page
      </a>
      <AppShell.Header hiddenFrom="sm">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} size="sm" aria-label="Menu" aria-expanded={opened} />
            <Mark size={24} />
          </Group>
          <Button component={Link} to="/new" size="sm" leftSection={<Plus size={16} aria-hidden />}>
            New job
          </Button>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} aria-label="Main">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="page" tabIndex={-1} className={classes.page}>
        <Outlet />
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  );
}
