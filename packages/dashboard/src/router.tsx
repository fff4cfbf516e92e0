import { useWindowEvent } from '@mantine/hooks';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { JobsPage } from './job-list/jobs-page.tsx';
import { parseJobListSearch } from './job-list/search-params.ts';
import { parseJobPageSearch } from './job-page/search-params.ts';
import { AppLayout } from './layout/app-layout.tsx';
import { MessagePage } from './ui/message-page.tsx';

const root = createRootRoute({
  component: AppLayout,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});
const getParentRoute = () => root;

const start = createRoute({
  getParentRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/jobs', replace: true });
  },
});
const jobs = createRoute({
  getParentRoute,
  path: '/jobs',
  validateSearch: parseJobListSearch,
  component: JobsPage,
});
const newJob = createRoute({
  getParentRoute,
  path: '/new',
  validateSearch: parseNewJobSearch,
  component: page(() => import('./new-job/new-job-page.tsx'), 'NewJobPage'),
});
const job = createRoute({
  getParentRoute,
  path: '/jobs/$jobId',
  validateSearch: parseJobPageSearch,
  component: page(() => import('./job-page/job-page.tsx'), 'JobPage'),
});

const routeTree = root.addChildren([
  start,
  jobs,
  newJob,
  job,
  plainRoute('/usage', () => import('./usage/usage-page.tsx'), 'UsagePage'),
  plainRoute('/storage', () => import('./storage/storage-page.tsx'), 'StoragePage'),
  plainRoute('/watches', () => import('./watches/watches-page.tsx'), 'WatchesPage'),
  plainRoute('/webhooks', () => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
  plainRoute('/batches', () => import('./batches/batches-page.tsx'), 'BatchesPage'),
  plainRoute('/presets', () => import('./presets/presets-page.tsx'), 'PresetsPage'),
  plainRoute('/keys', () => import('./keys/keys-page.tsx'), 'KeysPage'),
  plainRoute('/settings', () => import('./settings/settings-page.tsx'), 'SettingsPage'),
]);

/** The route of a page without parameters. */
function plainRoute<const Path extends string, Name extends string>(path: Path, load: Load<Name>, name: Name) {
  return createRoute({ getParentRoute, path, component: page(load, name) });
}

/** Loads the file of a page. */
type Load<Name extends string> = () => Promise<Record<Name, () => ReactNode>>;

/** A page that is loaded on demand. The error of the browser names a file, and not what to do. */
function page<Name extends string>(load: Load<Name>, name: Name) {
  const loadOrExplain = () =>
    load().catch((cause: unknown) => {
      throw new Error('This page could not be loaded. Check your connection, then reload.', { cause });
    });
  return lazyRouteComponent(loadOrExplain, name);
}

/** Every page but the first is loaded lazily, when the user points at a link to it. */
export function createDashboardRouter() {
  return createRouter({
    routeTree,
    basepath: '/app',
    defaultPreload: 'intent',
    scrollRestoration: true,
    trailingSlash: 'never',
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>;
  }
}

function NotFoundPage() {
  return <MessagePage title="Page not found">Check the address, or choose a page from the menu.</MessagePage>;
}

const reload = () => window.location.reload();

/** Replaces a page whose code threw, or could not be loaded: then it reloads itself once there is a network again. */
function ErrorPage({ error }: ErrorComponentProps) {
  useWindowEvent('online', reload);
  // Without a network, the browser would replace the dashboard by a page of its own.
  const onClick = () => {
    if (navigator.onLine) reload();
  };
  return (
    <MessagePage title="Something went wrong" action={{ label: 'Reload', onClick }}>
      {error instanceof Error ? error.message : String(error)}
    </MessagePage>
  );
}

type NewJobSearch = {
  /** Id of the job whose request fills the form. */
  duplicateOf?: string;
  /** The preset that is chosen at first, such as `course@2`. */
  preset?: string;
};

/** Parses the search parameters of the form; invalid values are ignored. */
function parseNewJobSearch({ duplicateOf, preset }: Record<string, unknown>): NewJobSearch {
  return {
    ...(typeof duplicateOf === 'string' && /^[\w-]+$/.test(duplicateOf) && { duplicateOf }),
    ...(typeof preset === 'string' && /^[\w-]+@\d+$/.test(preset) && { preset }),
  };
}
