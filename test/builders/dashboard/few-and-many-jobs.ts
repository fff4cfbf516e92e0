import { pastJobs, storeJobs } from '../stage/stored-jobs.ts';
import { aDashboard, type Dashboard } from './dashboard.ts';

/** Storing the jobs takes half a minute, and several on a busy machine. */
export const manyJobsTimeoutMs = 600_000;

export type FewAndManyJobs = { few: Dashboard; many: Dashboard; stop(): Promise<void> };

/** Two dashboards, of 10 jobs and of 100,000, the latter over four weeks until now. Stopped after their use. */
export async function fewAndManyJobs(): Promise<FewAndManyJobs> {
  const aDashboardOf = async (count: number, until: Date) => {
    const dashboard = await aDashboard();
    await storeJobs(dashboard.running.stage, pastJobs(count, { until, everyMinutes: 0.3 }));
    return dashboard;
  };
  const now = new Date();
  const [few, many] = [await aDashboardOf(10, now), await aDashboardOf(100_000, now)];
  return { few, many, stop: () => few.stop().finally(many.stop) };
}
