import type { DashboardConfig } from '../core/access/dashboard-config.ts';

/**
 * Reads the configuration of this stage.
 * @throws Error if the file is missing or is not JSON
 */
export async function readConfig(): Promise<DashboardConfig> {
  const response = await fetch('/app/config.json');
  if (!response.ok) {
    throw new Error(`Could not read /app/config.json: expected status 200, got ${response.status}.`);
  }
  return response.json();
}
