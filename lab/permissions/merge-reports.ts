import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatementUse, UseReport } from '@media-jobs/local-stage/permissions';

export type PermissionsReport = UseReport & {
  /** Names of the roles, and ARNs of the resources with a policy. */
  roles: string[];
  /** Statements that allowed nothing. */
  unused: StatementUse[];
};

/** Adds up the reports of all stages that wrote one into a folder. */
export async function mergeReports(directory: string): Promise<PermissionsReport> {
  const files = await readdir(directory);
  const reports = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(directory, file), 'utf8')) as UseReport),
  );
  return addReports(reports);
}

/** Adds up reports: the same statement of several stages is counted as one, at whatever position each has it. */
export function addReports(reports: readonly UseReport[]): PermissionsReport {
  const statements = new Map<string, StatementUse>();
  const denied = new Map<string, UseReport['denied'][number]>();
  for (const report of reports) {
    for (const [key, use] of withKeys(report.statements)) {
      const sum = statements.get(key) ?? { ...use, actions: {} };
      for (const [action, count] of Object.entries(use.actions)) {
        sum.actions[action] = (sum.actions[action] ?? 0) + count;
      }
      statements.set(key, sum);
    }
    for (const one of report.denied) denied.set(`${one.principal} ${one.action}`, one);
  }
  const all = [...statements.values()].toSorted((a, b) => a.id.localeCompare(b.id));
  return {
    roles: [...new Set(all.map(({ holder }) => holder))],
    statements: all,
    unused: all.filter(({ actions }) => Object.values(actions).every((count) => count === 0)),
    denied: [...denied.values()],
  };
}

/**
 * A key for each statement of a stage: its actions, and its number among those with the same ones. The position, and the
 * resources of some, depend on the settings of the stage.
 */
function withKeys(statements: readonly StatementUse[]): [key: string, use: StatementUse][] {
  const seen = new Map<string, number>();
  return statements.map((use) => {
    const allowed = JSON.stringify([use.holder, Object.keys(use.actions).toSorted()]);
    const number = seen.get(allowed) ?? 0;
    seen.set(allowed, number + 1);
    return [`${allowed} ${number}`, use];
  });
}
