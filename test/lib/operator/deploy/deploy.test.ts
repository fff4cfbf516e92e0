import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BatchGetBuildsCommand, type Build, CodeBuildClient, StartBuildCommand } from '@aws-sdk/client-codebuild';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeImageContext } from '../../../../lib/build/build-functions.ts';
import { root } from '../../../../lib/build/paths.ts';
import { buildImage } from '../../../../lib/operator/deploy/build-image.ts';
import { splitBuild } from '../../../../lib/operator/deploy/split-build.ts';
import { readSettings } from '../../../../lib/settings/read-settings.ts';
import { ImageStack, imageBuildSpec } from '../../../../lib/stacks/image-stack.ts';

const repository = '123456789012.dkr.ecr.eu-central-1.amazonaws.com/media-jobs-dev-workers';
const image = `${repository}@sha256:${'0a'.repeat(32)}`;

let buildDirectory: string;
beforeAll(async () => {
  buildDirectory = await aTemporaryFolder();
  const bundle = join(buildDirectory, 'index.js');
  await writeFile(bundle, '');
  const names = ['index.js', 'encode-chunk.js', 'join-chunks.js', 'fargate-task.cjs'];
  const bundles = Object.fromEntries(names.map((name) => [name, bundle]));
  await writeImageContext({ root, bundles, outDirectory: join(buildDirectory, 'images/transcode') });
});

/** The stack that builds the image, and the folder of its source in the assembly. */
function anImageStack(values: object = {}) {
  const app = new App({ analyticsReporting: false });
  const stack = new ImageStack(app, 'image', { settings: readSettings({ dev: values }, 'dev'), buildDirectory });
  const template = Template.fromStack(stack);
  const [source = ''] = globSync(join(app.outdir, 'asset.*/'));
  return { template, source };
}

describe('the stack that builds the image', () => {
  it.each([
    ['x86_64', 'LINUX_CONTAINER', /^aws\/codebuild\/standard:/],
    ['arm64', 'ARM_CONTAINER', /aarch64/],
  ])('builds for %s on a machine of that architecture', (architecture, Type, Image) => {
    const { template } = anImageStack({ architecture });
    const [project] = Object.values(template.findResources('AWS::CodeBuild::Project'));
    expect(project?.Properties).toMatchObject({
      Environment: { Type, Image: expect.stringMatching(Image), PrivilegedMode: true },
      Source: { Type: 'S3' },
    });
  });

  it('names an image by all that decides it', () => {
    const tagOf = (values: object) =>
      /"TAG","Type":"PLAINTEXT","Value":"(\w+)"/.exec(JSON.stringify(anImageStack(values).template.toJSON()))?.[1];
    const tags = [{}, { architecture: 'arm64' }, { baseImage: 'node:24' }].map(tagOf);
    expect(new Set(tags).size).toBe(3);
    expect(tagOf({})).toBe(tags[0]);
  });
});

/** Stand for Docker and the AWS CLI: the repository is a file, and a build needs all files that its Dockerfile copies. */
const stubs = {
  docker: `#!/bin/bash
echo "docker $*" >> "$CALLS"
case $1 in
  login) read -r password && [ "$password" = secret ] ;;
  build) grep -E '^COPY [^-]' Dockerfile | sed 's/^COPY //; s/ [^ ]*$//' | xargs ls -d > /dev/null ;;
  push) touch "$PUSHED" ;;
esac`,
  aws: `#!/bin/bash
case "$*" in
  'ecr get-login-password') echo secret ;;
  "ecr describe-images --repository-name media-jobs-dev-workers --image-ids imageTag=abc"*)
    [ -e "$PUSHED" ] && echo 'sha256:${'0a'.repeat(32)}' ;;
  *) exit 2 ;;
esac`,
};

/** Runs the commands of the build in one shell, as CodeBuild does, in a folder with its source and an empty environment. */
async function runBuild({ source, base, times = 1 }: { source: string; base?: string; times?: number }) {
  const folder = await aTemporaryFolder();
  await cp(source, join(folder, 'source'), { recursive: true });
  await mkdir(join(folder, 'bin'));
  for (const [name, code] of Object.entries(stubs)) {
    await writeFile(join(folder, 'bin', name), code);
    await chmod(join(folder, 'bin', name), 0o755);
  }
  const commands = [...imageBuildSpec.phases.build.commands, 'echo "$IMAGE" >&3'].map((each) => `${each} || exit 1`);
  const variables = {
    PATH: `${folder}/bin:/usr/bin:/bin`,
    REPOSITORY: repository,
    TAG: 'abc',
    ...(base && { BASE: base }),
  };
  const env = { ...variables, CALLS: join(folder, 'calls'), PUSHED: join(folder, 'pushed') };
  const script = `exec 3>&1 1>&2\n${commands.join('\n')}`;
  let stdout = '';
  for (let time = 0; time < times; time += 1) {
    ({ stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: join(folder, 'source'), env }));
  }
  return { image: stdout.trim(), calls: (await readFile(env.CALLS, 'utf8')).trim().split('\n') };
}

describe('the commands of the build', () => {
  it('build and push the image from its source, and export its digest', async () => {
    expect(await runBuild(anImageStack())).toEqual({
      image,
      calls: [
        `docker login --username AWS --password-stdin ${repository.split('/')[0]}`,
        `docker build --tag ${repository}:abc .`,
        `docker push ${repository}:abc`,
      ],
    });
  });

  it('pass a base image on, and build the same files once', async () => {
    const { calls } = await runBuild({ ...anImageStack(), base: 'node:24', times: 2 });
    expect(calls.filter((call) => /build|push/.test(call))).toEqual([
      `docker build --build-arg BASE=node:24 --tag ${repository}:abc .`,
      `docker push ${repository}:abc`,
    ]);
  });

  it('fail without a file that the image needs', async () => {
    const source = await aTemporaryFolder();
    await writeFile(join(source, 'Dockerfile'), readFileSync(join(anImageStack().source, 'Dockerfile')));
    await expect(runBuild({ source })).rejects.toThrow('No such file');
  });
});

describe('npm run deploy -- --build remote', () => {
  const ended: Build = { buildComplete: true, buildStatus: 'SUCCEEDED', currentPhase: 'COMPLETED' };

  /** A build whose answers come one after the other. */
  function building(...answers: Build[]) {
    const client = mockClient(CodeBuildClient);
    client.on(StartBuildCommand, { projectName: 'media-jobs-dev-image' }).resolves({ build: { id: 'build-1' } });
    const polls = client.on(BatchGetBuildsCommand, { ids: ['build-1'] });
    for (const build of answers) polls.resolvesOnce({ builds: [build] });
    const lines: string[] = [];
    const done = buildImage({
      client: client as unknown as CodeBuildClient,
      projectName: 'media-jobs-dev-image',
      sleep: async () => undefined,
      log: (line) => lines.push(line.replace('CodeBuild media-jobs-dev-image: ', '')),
    });
    return { done, lines };
  }

  it('waits for the image and shows each phase once', async () => {
    const { done, lines } = building(
      { currentPhase: 'QUEUED' },
      { currentPhase: 'BUILD' },
      { currentPhase: 'BUILD' },
      { ...ended, exportedEnvironmentVariables: [{ name: 'IMAGE', value: image }] },
    );
    expect(await done).toBe(image);
    expect(lines).toEqual(['QUEUED', 'BUILD', 'COMPLETED']);
  });

  it('says why a build failed, and where its log is', async () => {
    const phases = [{ contexts: [{ message: 'exit status 1' }] }];
    const { done } = building({ ...ended, buildStatus: 'FAILED', phases, logs: { deepLink: 'https://console/log' } });
    await expect(done).rejects.toThrow(/FAILED\. .*exit status 1.* https:\/\/console\/log/);
  });

  it.each([
    [['-c', 'stage=prod'], { build: 'local', options: ['-c', 'stage=prod'] }],
    [['--build', 'remote', '-c', 'stage=prod'], { build: 'remote', options: ['-c', 'stage=prod'] }],
    [['-c', 'stage=prod', '--build=remote'], { build: 'remote', options: ['-c', 'stage=prod'] }],
  ])('takes the place of the build out of the options: %j', (args, split) => expect(splitBuild(args)).toEqual(split));
  it('rejects another place', () => {
    expect(() => splitBuild(['--build', 'cloud'])).toThrow('--build is cloud; expected local or remote.');
  });
});
