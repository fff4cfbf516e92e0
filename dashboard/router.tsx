import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
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
  component: lazyRouteComponent(() => import('./new-job/new-job-page.tsx'), 'NewJobPage'),
});
const job = createRoute({
  getParentRoute,
  path: '/jobs/$jobId',
  validateSearch: parseJobPageSearch,
  component: lazyRouteComponent(() => import('./job-page/job-page.tsx'), 'JobPage'),
});
const usage = createRoute({
  getParentRoute,
  path: '/usage',
  component: lazyRouteComponent(() => import('./usage/usage-page.tsx'), 'UsagePage'),
});
const keys = createRoute({
  getParentRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./keys/keys-page.tsx'), 'KeysPage'),
});
const storage = createRoute({
  getParentRoute,
  path: '/storage',
  component: lazyRouteComponent(() => import('./storage/storage-page.tsx'), 'StoragePage'),
});
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([start, jobs, newJob, job, usage, storage, keys, settings]);

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
