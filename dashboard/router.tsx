import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { readJobSearch } from './job/job-search.ts';
import { JobsPage } from './jobs/jobs-page.tsx';
import { readJobsSearch } from './jobs/jobs-search.ts';
import { readNewJobSearch } from './new-job/new-job-search.ts';
import { AppFrame } from './shell/app-frame.tsx';
import { FailedPage, UnknownPage } from './shell/no-page.tsx';

const root = createRootRoute({
  component: AppFrame,
  notFoundComponent: UnknownPage,
  errorComponent: FailedPage,
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
  validateSearch: readJobsSearch,
  component: JobsPage,
});
const newJob = createRoute({
  getParentRoute,
  path: '/new',
  validateSearch: readNewJobSearch,
  component: lazyRouteComponent(() => import('./new-job/new-job-page.tsx'), 'NewJobPage'),
});
const job = createRoute({
  getParentRoute,
  path: '/jobs/$jobId',
  validateSearch: readJobSearch,
  component: lazyRouteComponent(() => import('./job/job-page.tsx'), 'JobPage'),
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
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([start, jobs, newJob, job, usage, keys, settings]);

/** The pages, each but the first in a file of its own that is loaded when a link to it is pointed at. */
export function createRouterOfPages() {
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
    router: ReturnType<typeof createRouterOfPages>;
  }
}
