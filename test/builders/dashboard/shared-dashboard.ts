import { afterEach, beforeAll, expect } from 'vitest';
import { aDashboard, type Dashboard } from './dashboard.ts';

/**
 * A dashboard that the tests of a file share. A test fails if a page has a problem.
 *
 * @returns an object that has the members of the dashboard once it is started, before the first test
 */
export function aSharedDashboard(): Dashboard;
export function aSharedDashboard<Started extends Dashboard>(start: () => Promise<Started>): Started;
export function aSharedDashboard(start: () => Promise<Dashboard> = aDashboard): Dashboard {
  const dashboard = {} as Dashboard;
  beforeAll(async () => void Object.assign(dashboard, await start()));
  afterEach(() => expect(dashboard.problems()).toEqual([]));
  return dashboard;
}
