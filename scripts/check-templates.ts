import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { contracts } from '../core/api/registry.ts';
import exampleStages from '../docs/examples/stages.json' with { type: 'json' };
import { buildDirectory, dashboardDirectory } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { readSettings } from '../lib/settings/read-settings.ts';
import { stageStacks } from '../lib/stage-stacks.ts';
import { loadSchemas, type Schemas } from './templates/schemas.ts';
import { validateTemplate } from './templates/validate-template.ts';

const usage = `Validates templates against the resource schemas of CloudFormation and the quotas of AWS, and their state machines with
asl-validator. Needs the output of "npm run build".

  node scripts/check-templates.ts [--assembly DIR]

  --assembly DIR  a synthesized assembly (default: every stage of cdk.json and docs/examples/stages.json)
`;

/** Validates the templates of an assembly. Returns their number, and prints each problem. */
async function checkAssembly(
  directory: string,
  schemas: Schemas,
): Promise<{ problems: number; templates: number }> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.template.json'));
  if (names.length === 0) throw new Error(`There is no template in ${directory}.`);
  let problems = 0;
  for (const name of names) {
    const template = JSON.parse(await readFile(path.join(directory, name), 'utf8'));
    for (const problem of validateTemplate(template, schemas)) {
      console.error(`${name}: ${problem}`);
      problems += 1;
    }
  }
  return { problems, templates: names.length };
}

/** Synthesizes a stage into a directory. */
function synthesizeStage(stages: object, stage: string, outdir: string): void {
  const app = new App({ context: cdkJson.context, outdir, analyticsReporting: false });
  stageStacks(app, { settings: readSettings(stages, stage), contracts, buildDirectory, dashboardDirectory });
  app.synth();
}

async function checkStages(schemas: Schemas): Promise<{ problems: number; templates: number }> {
  const total = { problems: 0, templates: 0 };
  for (const stages of [cdkJson.context.stages, exampleStages]) {
    for (const stage of Object.keys(stages)) {
      const directory = await mkdtemp(path.join(tmpdir(), 'media-jobs-templates-'));
      try {
        synthesizeStage(stages, stage, directory);
        const { problems, templates } = await checkAssembly(directory, schemas);
        total.problems += problems;
        total.templates += templates;
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    }
  }
  return total;
}

await runMain(
  async () => {
    const { values } = parseArgs({
      options: { assembly: { type: 'string' }, help: { type: 'boolean', default: false } },
    });
    if (values.help) console.log(usage);
    else {
      const schemas = await loadSchemas();
      const { assembly } = values;
      const { problems, templates } =
        assembly === undefined ? await checkStages(schemas) : await checkAssembly(assembly, schemas);
      if (problems > 0) process.exitCode = 1;
      else console.log(`${templates} templates are valid.`);
    }
  },
  { failureCode: 2 },
);
