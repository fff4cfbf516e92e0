// @module-tag packages
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { CloudAssembly, CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { beforeAll, describe, expect, it } from 'vitest';
import exampleStages from '../../docs/examples/stages.json' with { type: 'json' };
import { packCdk } from '../../lib/build/packages/pack-cdk.ts';
import { runCdkApp } from '../../lib/build/synthesize.ts';
import { aPackageRegistry } from '../builders/packages/package-registry.ts';

const run = promisify(execFile);
const minutes = 60_000;
const image = `123456789012.dkr.ecr.eu-central-1.amazonaws.com/media-jobs@sha256:${'0'.repeat(64)}`;
const env = { account: '123456789012', region: 'eu-central-1' };
const preset = {
  title: 'Small',
  request: { mode: 'recipe', recipe: { name: 'mute' }, output: { format: 'mp4' } },
  allow: [],
};

type Resource = { Metadata: { 'aws:cdk:path': string } };
type Template = { Resources: Record<string, Resource>; Outputs?: object };

let folder: string;

/** A CDK app in which the package is installed from its tarball. */
beforeAll(async () => {
  folder = await aTemporaryFolder();
  const registry = await aPackageRegistry([await packCdk()]);
  await cp('examples/cdk-app', folder, { recursive: true });
  const env = { ...process.env, ...registry.environment };
  await run('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder, env });
}, 10 * minutes);

/** The templates of an app in the folder by the end of their names: `stateful`, `service`, `edge`. */
async function synthesized(file: string): Promise<Record<string, Template>> {
  const outdir = join(folder, `${file}.out`);
  const context = JSON.stringify({ ...CURRENTLY_RECOMMENDED_FLAGS, 'aws:cdk:enable-path-metadata': true });
  await run(process.execPath, [file], {
    cwd: folder,
    env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: context },
  });
  return templatesIn(outdir);
}

function templatesIn(outdir: string): Record<string, Template> {
  const { stacksRecursively } = new CloudAssembly(outdir);
  const named = stacksRecursively.map(({ stackName, template }) => [
    /-(stateful|service|edge)\b/.exec(stackName)?.[1] ?? 'surrounding',
    template,
  ]);
  return Object.fromEntries(named);
}

/** The templates of this repository's own app for the same settings. */
async function ownTemplates(settings: object): Promise<Record<string, Template>> {
  const outDirectory = await aTemporaryFolder();
  const stages = { prod: { ...env, ...settings } };
  await runCdkApp({ stage: 'prod', outDirectory, stages, context: { 'aws:cdk:enable-path-metadata': true } });
  return templatesIn(outDirectory);
}

/**
 * The resources of each template by their paths below the construct. A few ids contain the whole path of another resource, whose
 * prefix and hash are taken out of them; so is the hash of a path in the tags by which CDK marks what it has put into a bucket.
 */
function resourcesOf(templates: Record<string, Template>): object {
  const named = Object.entries(templates).map(([name, { Resources }]) => {
    const nameOf = ({ Metadata }: Resource) =>
      Metadata['aws:cdk:path'].replace(/^.*\/Media\//, '').replaceAll(/(Prod|Shop)Media|[0-9A-F]{8}/g, '');
    const names = new Map(Object.entries(Resources).map(([id, resource]) => [id, nameOf(resource)]));
    expect(new Set(names.values()).size).toBe(names.size);
    const text = JSON.stringify(Resources, (key, value) => (key === 'aws:cdk:path' ? undefined : value)).replaceAll(
      /(?<=aws-cdk:cr-owned:[^"]*:)[0-9a-f]{8}/g,
      '',
    );
    return [name, JSON.parse(text.replaceAll(/\b[A-Za-z0-9]+\b/g, (word) => names.get(word) ?? word))];
  });
  return Object.fromEntries(named);
}

describe('the package of the construct', () => {
  it('has no dependencies but peers', async () => {
    const manifest = JSON.parse(await readFile(join(folder, 'node_modules/@media-jobs/cdk/package.json'), 'utf8'));
    expect(manifest.dependencies).toBeUndefined();
    expect(Object.keys(manifest.peerDependencies)).toEqual(['aws-cdk-lib', 'constructs']);
  });

  it('has a README that starts with the example', async () => {
    const readme = await readFile('packages/cdk/README.md', 'utf8');
    expect(/```ts\n([\s\S]*?)```/.exec(readme)?.[1]).toBe(await readFile('examples/cdk-app/app.ts', 'utf8'));
    expect(readme.split(/\s+/).length).toBeLessThanOrEqual(600);
  });

  it(
    'deploys the resources of our own app, and its address is an output of the surrounding stack',
    async () => {
      const { surrounding, ...stacks } = await synthesized('app.ts');
      const settings = {
        alarmEmail: 'ops@example.com',
        buckets: [{ name: 'footage', bucket: 'shop-footage', access: 'read' }],
      };
      expect(resourcesOf(stacks)).toEqual(resourcesOf(await ownTemplates(settings)));
      expect(JSON.stringify(surrounding?.Outputs)).toContain('"StackName":"media-jobs-prod-service"');
    },
    5 * minutes,
  );

  it.each([
    ['without Docker', { image, fargate: exampleStages.production.fargate }, 0],
    ['with a dashboard of its own users', { identityProvider: 'cognito', alarmEmail: 'ops@example.com' }, 3],
    ['with everything, in three stacks', exampleStages.production, 5],
  ])(
    'deploys the same resources %s',
    async (name, { account: _, region: __, ...settings }: Record<string, unknown>, images) => {
      const file = `${name.replaceAll(/\W/g, '-')}.cjs`;
      // An app of CommonJS, as `cdk init` makes it, with a stage in place of a stack around the construct.
      const code = `const { MediaJobs } = require('@media-jobs/cdk');
        const { App, Stage } = require('aws-cdk-lib');
        const pipelineStage = new Stage(new App(), 'Prod', { env: ${JSON.stringify(env)} });
        new MediaJobs(pipelineStage, 'Media', ${JSON.stringify({ ...settings, stage: 'prod' })});`;
      await writeFile(join(folder, file), code);
      const stacks = await synthesized(file);
      expect(resourcesOf(stacks)).toEqual(resourcesOf(await ownTemplates(settings)));
      expect(JSON.stringify(stacks).split('container-assets').length - 1).toBe(images);
    },
    5 * minutes,
  );

  it(
    'resolves presets of the app and deploys them, and has the program that creates keys',
    async () => {
      await mkdir(join(folder, 'presets'));
      await writeFile(join(folder, 'presets/small@1.json'), JSON.stringify(preset));
      const program = (name: string, ...args: string[]) =>
        run(join(folder, 'node_modules/.bin', name), args, { cwd: folder }).then(({ stdout }) => stdout);
      expect(await program('media-jobs-presets', '--folder', 'presets')).toContain('small@1.resolved.json');
      expect(await program('media-jobs-first-key', '--help')).toContain('--table');
      const app = `import { MediaJobs } from '@media-jobs/cdk'; import { App } from 'aws-cdk-lib';
      new MediaJobs(new App(), 'Media', { presets: 'presets' });`;
      await writeFile(join(folder, 'presets.mjs'), app);
      const own = await ownTemplates({ presets: join(folder, 'presets') });
      const code = ({ service }: Record<string, Template>) =>
        JSON.stringify(service)
          .match(/"S3Key":"[^"]+"/g)
          ?.sort();
      expect(code(await synthesized('presets.mjs'))).toEqual(code(own));
    },
    5 * minutes,
  );

  it('has types, and names the setting that is wrong', { timeout: 5 * minutes }, async () => {
    await writeFile(
      join(folder, 'types.ts'),
      `import { MediaJobs, type MediaJobsProps } from '@media-jobs/cdk'; import { Stack } from 'aws-cdk-lib';
      const props: MediaJobsProps = { identityProvider: 'cognito', fargate: { vpcId: '', subnetIds: [] } };
      export const { url, edge }: { url: string; edge: Stack | undefined } = new MediaJobs(new Stack(), 'Media', props);
      // @ts-expect-error an unknown size of a task
      new MediaJobs(new Stack(), 'Media', { fargate: { ...props.fargate, vcpus: 3 } });
      // @ts-expect-error an unknown setting
      new MediaJobs(new Stack(), 'Media', { bucket: [] });`,
    );
    const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc');
    const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext'];
    await run(process.execPath, [tsc, ...options, '--types', '', 'types.ts'], { cwd: folder });
    const wrong = `import { MediaJobs } from '@media-jobs/cdk'; import { App } from 'aws-cdk-lib';
      new MediaJobs(new App(), 'Media', { capacity: 1 });`;
    await writeFile(join(folder, 'wrong.mjs'), wrong);
    await expect(synthesized('wrong.mjs')).rejects.toThrow('Setting "capacity" of stage "dev" is invalid');
  });
});
