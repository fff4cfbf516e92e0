import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { contracts } from '../core/api/registry.ts';
import exampleStages from '../docs/examples/stages.json' with { type: 'json' };
import { buildDirectory, dashboardDirectory } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { readSettings } from '../lib/settings/read-settings.ts';
import { stageStacks } from '../lib/stage-stacks.ts';

const usage = `Validates the templates of every stage of cdk.json and docs/examples/stages.json with cfn-lint. Needs the output of
"npm run build". Where cfn-lint is not installed ("pip install cfn-lint"), it says so and checks nothing.

  node lab/check-templates.ts
`;

/** E3601 rejects `arn:${Partition}:` in a state machine, W3005 dependencies that CDK writes twice; both deploy. */
const ignoredRules = ['E3601', 'W3005'];

/** The exit code of cfn-lint for the templates of every stage. */
async function lintTemplates(): Promise<number | null> {
  const directory = await mkdtemp(path.join(tmpdir(), 'media-jobs-templates-'));
  try {
    for (const stages of [cdkJson.context.stages, exampleStages]) {
      for (const stage of Object.keys(stages)) synthesizeStage(stages, stage, path.join(directory, stage));
    }
    const templates = globSync(`${directory}/*/*.template.json`);
    const ignored = ignoredRules.flatMap((rule) => ['--ignore-checks', rule]);
    const [exitCode] = await once(
      spawn('cfn-lint', ['--format', 'parseable', ...ignored, '--', ...templates], { stdio: 'inherit' }),
      'exit',
    );
    if (exitCode === 0) console.log(`${templates.length} templates are valid.`);
    return exitCode;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Synthesizes a stage into a directory. */
function synthesizeStage(stages: object, stage: string, outdir: string): void {
  const app = new App({ context: cdkJson.context, outdir, analyticsReporting: false });
  stageStacks(app, { settings: readSettings(stages, stage), contracts, buildDirectory, dashboardDirectory });
  app.synth();
}

async function isInstalled(): Promise<boolean> {
  try {
    await promisify(execFile)('cfn-lint', ['--version']);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

await runMain(
  async () => {
    const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
    if (values.help) console.log(usage);
    else if (await isInstalled()) process.exitCode = (await lintTemplates()) ?? 2;
    else console.log('The templates are not checked: cfn-lint is not installed (pip install cfn-lint).');
  },
  { failureCode: 2 },
);
