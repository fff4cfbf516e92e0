import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { JobsPage } from './job-list/jobs-page.tsx';
import { parseJobListSearch } from './job-list/search-params.ts';
import { parseJobPageSearch } from './job-page/search-params.ts';
import { AppLayout } from './layout/app-layout.tsx';
import { ErrorPage, NotFoundPage } from './layout/error-pages.tsx';
import { parseNewJobSearch } from './new-job/search-params.ts';

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
const usage = createRoute({
  getParentRoute,
  path: '/usage',
  component: page(() => import('./usage/usage-page.tsx'), 'UsagePage'),
});
const watches = createRoute({
  getParentRoute,
  path: '/watches',
  component: page(() => import('./watches/watches-page.tsx'), 'WatchesPage'),
});
const webhooks = createRoute({
  getParentRoute,
  path: '/webhooks',
  component: page(() => import('./webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const batches = createRoute({
  getParentRoute,
  path: '/batches',
  component: page(() => import('./batches/batches-page.tsx'), 'BatchesPage'),
});
const presets = createRoute({
  getParentRoute,
  path: '/presets',
  component: page(() => import('./presets/presets-page.tsx'), 'PresetsPage'),
});
const keys = createRoute({
  getParentRoute,
  path: '/keys',
  component: page(() => import('./keys/keys-page.tsx'), 'KeysPage'),
});
const storage = createRoute({
  getParentRoute,
  path: '/storage',
  component: page(() => import('./storage/storage-page.tsx'), 'StoragePage'),
});
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: page(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([
  start,
  jobs,
  newJob,
  job,
  usage,
  storage,
  watches,
  webhooks,
  batches,
  presets,
  keys,
  settings,
]);

/** A page that is loaded on demand. The error of the browser names a file, and not what to do. */
function page<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  load: () => Promise<Module>,
  name: Name,
) {
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
