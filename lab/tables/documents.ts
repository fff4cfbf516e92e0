import { benchmarkTables } from '../bench/harness/figures/write-page.ts';
import { benchmarks } from '../bench/registry.ts';
import {
  monthTable,
  otherServicesTable,
  pricesTable,
  regionsTable,
  resolutionsTable,
  speedsTable,
  workloadTable,
} from '../cost/tables.ts';
import { defaultWorkload } from '../cost/workload.ts';
import { qualityTable } from '../quality/table.ts';
import { errorsTable, jobErrorsTable, routesTable, scopesTable, warningsTable } from './api.ts';
import { cliCommandsTable, cliExitCodesTable, cliOptionsTable } from './cli.ts';
import { parametersTable, recipesTable } from './recipes.ts';
import { settingsTable } from './settings.ts';
import { stageLimitsTable } from './stage-limits.ts';

/** Documents with generated tables: the tables by name. */
export const documents: Readonly<Record<string, () => Record<string, string>>> = {
  'docs/api.md': () => ({
    errors: errorsTable(),
    'job-errors': jobErrorsTable(),
    warnings: warningsTable(),
    limits: stageLimitsTable(),
    routes: routesTable(),
    scopes: scopesTable(),
  }),
  'docs/benchmarks.md': () => benchmarkTables(benchmarks),
  'docs/cli.md': () => ({
    commands: cliCommandsTable(),
    options: cliOptionsTable(),
    'exit-codes': cliExitCodesTable(),
  }),
  'docs/recipes.md': () => ({
    recipes: recipesTable(),
    parameters: parametersTable(),
    quality: qualityTable(),
  }),
  'docs/operating.md': () => ({ settings: settingsTable() }),
  'docs/cost.md': () => ({
    speeds: speedsTable(defaultWorkload),
    workload: workloadTable(defaultWorkload),
    resolutions: resolutionsTable(defaultWorkload),
    'resolutions-at-10240': resolutionsTable({ ...defaultWorkload, memoryMb: 10_240 }),
    month: monthTable(),
    prices: pricesTable(),
    regions: regionsTable(defaultWorkload),
    'other-services': otherServicesTable(),
  }),
};
