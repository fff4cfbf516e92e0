import {
  Box,
  Button,
  Group,
  Kbd,
  Text,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  Bell,
  Bookmark,
  BookOpen,
  ChartColumn,
  Database,
  Eye,
  Keyboard,
  KeyRound,
  Layers,
  List,
  LogOut,
  Moon,
  Plus,
  Settings,
  Sun,
} from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useAuth } from 'react-oidc-context';
import { useApi } from '../api/api-context.tsx';
import { useRead } from '../api/use-read.ts';
import { useSession } from '../session/session-gate.tsx';
import { Logo } from '../ui/logo.tsx';
import { UntrustedLine } from '../ui/text.tsx';
import { type Shortcut, useShortcuts } from '../ui/use-shortcuts.ts';
import classes from './app-layout.module.css';

const pages = [
  { to: '/jobs', label: 'Jobs', Icon: List },
  { to: '/presets', label: 'Presets', Icon: Bookmark },
  { to: '/batches', label: 'Batches', Icon: Layers },
  { to: '/watches', label: 'Watches', Icon: Eye },
  { to: '/webhooks', label: 'Webhooks', Icon: Bell },
  { to: '/usage', label: 'Usage', Icon: ChartColumn },
  { to: '/storage', label: 'Storage', Icon: Database },
  { to: '/keys', label: 'API keys', Icon: KeyRound },
  { to: '/settings', label: 'Settings', Icon: Settings },
] as const;

export function Navigation() {
  return (
    <>
      <Group gap={10} px={8} pb={16} fw={650} visibleFrom="sm">
        <Logo size={24} /> Media jobs
      </Group>
      <StageBadge />
      <Button
        component={Link}
        to="/new"
        mb="md"
        visibleFrom="sm"
        leftSection={<Plus size={16} aria-hidden />}
        rightSection={<Kbd aria-hidden>N</Kbd>}
        styles={{ label: { flex: 1 } }}
      >
        New job
      </Button>
      {pages.map(({ to, label, Icon }) => (
        <Link key={to} to={to} className={classes.link}>
          <Icon size={16} aria-hidden /> {label}
        </Link>
      ))}
      <a href="/app/docs" className={classes.link}>
        <BookOpen size={16} aria-hidden /> Documentation
      </a>
      <Account />
    </>
  );
}

/** Which stage this is, and the version of the service. */
function StageBadge() {
  const { stage } = useApi();
  const { data } = useRead({
    key: ['health'],
    read: (client, signal) => client.getHealth({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const parts = [stage, data && `v${data.version}`].filter((part) => part !== undefined);
  return (
    <Text size="xs" c="dimmed" mih={18} mt={-12} px={8} pb={12}>
      {parts.join(' · ')}
    </Text>
  );
}

function Account() {
  const { user } = useAuth();
  const session = useSession();
  const { name, email } = user?.profile ?? {};
  return (
    <Box mt="auto">
      <Shortcuts pages={pages.map(({ to }) => to)} />
      <ColorSchemeButton />
      <Box px={10} pt={12} mt={12} style={{ borderTop: '1px solid var(--line)' }}>
        <UntrustedLine fw={600} truncate>
          {name ?? email ?? 'Signed in'}
        </UntrustedLine>
        {name === undefined || email === undefined ? null : (
          <UntrustedLine size="xs" c="dimmed" truncate>
            {email}
          </UntrustedLine>
        )}
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          mt={8}
          ml={-8}
          c="var(--mantine-color-text)"
          leftSection={<LogOut size={14} aria-hidden />}
          onClick={() => void session.signOut()}
        >
          Sign out
        </Button>
      </Box>
    </Box>
  );
}

function ColorSchemeButton() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = other === 'dark' ? Moon : Sun;
  return (
    <UnstyledButton className={classes.link} w="100%" onClick={() => setColorScheme(other)}>
      <Icon size={16} aria-hidden /> {other === 'dark' ? 'Dark' : 'Light'} mode
    </UnstyledButton>
  );
}

const Dialog = lazy(() =>
  import('./shortcuts-dialog.tsx').then(({ ShortcutsDialog }) => ({ default: ShortcutsDialog })),
);

/** Shortcuts of every page, such as 1 for the first one, and a button that lists them. The dialog is loaded on first use. */
function Shortcuts({ pages }: { pages: readonly string[] }) {
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
