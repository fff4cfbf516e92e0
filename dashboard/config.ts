import type { DashboardConfig } from '../core/access/dashboard-config.ts';

/**
 * Reads what this stage is, from beside the page.
 * @throws Error where the file is missing or is not JSON
 */
export async function readConfig(): Promise<DashboardConfig> {
  const answer = await fetch('/app/config.json');
  if (!answer.ok) throw new Error(`/app/config.json answered ${answer.status}.`);
  return answer.json();
}
