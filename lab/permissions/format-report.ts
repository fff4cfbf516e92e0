import type { StatementUse } from '@media-jobs/local-stage/permissions';
import type { PermissionsReport } from './merge-reports.ts';

/** The report as text: one line for each statement, then what has to be mended. */
export function formatReport({ roles, statements, unused, denied }: PermissionsReport): string {
  const lines = roles.flatMap((role) => [
    role,
    ...statements.filter(({ holder }) => holder === role).map((use) => `  ${formatUse(use)}`),
  ]);
  return [
    ...lines,
    '',
    ...unused.map((use) => `UNUSED  ${use.holder}  ${formatUse(use)}: no journey used it; remove it or add a journey.`),
    ...denied.map(
      ({ principal, action, resourceArn }) =>
        `DENIED  ${principal}  ${action} on ${resourceArn}: no policy allows it; add a statement or drop the call.`,
    ),
    `${roles.length} roles and resources, ${statements.length} statements, ${unused.length} unused, ${denied.length} denied`,
  ].join('\n');
}

function formatUse({ actions, resources }: StatementUse): string {
  const counts = Object.entries(actions).map(([action, count]) => `${action} ${count}`);
  return `${counts.join(', ')} on ${resources.join(', ')}`;
}
