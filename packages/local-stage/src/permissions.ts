export { permissionGuard } from './permissions/guard.ts';
export { roleCredentials } from './permissions/role-credentials.ts';
export type { StatementUse, UseReport } from './permissions/use-report.ts';
