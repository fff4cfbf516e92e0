import { pastJobs, storeJobs } from '../stage/stored-jobs.ts';
import { aDashboard, type Dashboard } from './dashboard.ts';

export type FewAndManyJobs = { few: Dashboard; many: Dashboard; stop(): Promise<void> };

/** Two dashboards, of 10 jobs and of 10,000, one every few minutes until now. The caller stops them. */
export async function fewAndManyJobs(): Promise<FewAndManyJobs> {
  await using started = new AsyncDisposableStack();
  const aDashboardOf = async (count: number, until: Date) => {
    const dashboard = await aDashboard();
    started.defer(dashboard.stop);
    await storeJobs(dashboard.running.stage, pastJobs(count, { until, everyMinutes: 4 }));
    return dashboard;
  };
  const now = new Date();
  const [few, many] = [await aDashboardOf(10, now), await aDashboardOf(10_000, now)];
  const all = started.move();
  return { few, many, stop: () => all.disposeAsync() };
}
