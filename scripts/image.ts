import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { buildFunctions } from '../lib/build/build-functions.ts';
import { buildDirectory } from '../lib/build/paths.ts';
import { runMain } from '../lib/build/run-main.ts';
import { type Container, findEngine } from './image/engine.ts';
import { runOnce } from './image/run-once.ts';
import { runTests } from './image/run-tests.ts';
import { testPrograms } from './image/test-programs.ts';

const usage = `Builds the workers' image and runs each worker once, as Lambda does: the transcoder on a clip, the others on chunks of a
job that does not exist.

  npm run image -- [--engine NAME] [--base IMAGE] [--volume FROM:TO:ro]... [--vmaf-source DIR]
                       [--clip FILE] [--test [TEST-FILE]...]
  npm run image -- --programs amd64|arm64 [--vmaf FILE] [--test [TEST-FILE]...]

  --engine NAME        docker, podman or buildah (default: the first that answers)
  --base IMAGE         base image instead of Node's, such as one built by scripts/image/debian-base.sh
  --volume FROM:TO:ro  a folder or file to mount during the build, such as certificates
  --vmaf-source DIR    a folder with the source of vmaf, to build without a network connection to GitHub
  --clip FILE          the clip to transcode (default: five generated seconds)
  --test               then runs the tests of recipes, chunks and hostile files in the image with its ffmpeg, or only the
                       named files
  --programs NAME      builds no image: unpacks its ffmpeg from Debian's packages for that architecture, emulated by qemu-user
                       on a machine of another, and runs every recipe once with it, or the named test files
  --vmaf FILE          with --programs: the program vmaf for that architecture
`;

const tag = 'localhost/media-jobs-transcode';

function readFlags() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      base: { type: 'string' },
      volume: { type: 'string', multiple: true, default: [] },
      'vmaf-source': { type: 'string' },
      clip: { type: 'string' },
      test: { type: 'boolean', default: false },
      programs: { type: 'string' },
      vmaf: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 0 && !values.test) throw new Error(`Test files need --test.\n\n${usage}`);
  return { ...values, testFiles: positionals };
}

async function ffmpegVersion(container: Container): Promise<string> {
  const { stdout } = container.start(['/opt/bin/ffmpeg', '-version']);
  const [line = ''] = (stdout ? await text(stdout) : '').split('\n');
  if (!line.startsWith('ffmpeg version')) throw new Error('ffmpeg does not start in the image.');
  return line;
}

/** Calls `build` with the build context of the workers' image, and in it the given source of vmaf instead of a download. */
async function withBuildContext(
  vmafSource: string | undefined,
  build: (context: string) => Promise<void>,
): Promise<void> {
  const context = path.join(buildDirectory, 'images/transcode');
  if (vmafSource === undefined) return build(context);
  const copy = await mkdtemp(path.join(tmpdir(), 'media-jobs-context-'));
  try {
    await cp(context, copy, { recursive: true });
    for (const name of ['libvmaf', 'model', 'LICENSE']) {
      await cp(path.join(vmafSource, name), path.join(copy, 'vmaf/tree', name), { recursive: true });
    }
    await build(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function buildAndRun({
  base,
  volume,
  clip,
  engine: wanted,
  'vmaf-source': vmafSource,
  test,
  testFiles,
}: ReturnType<typeof readFlags>): Promise<void> {
  const engine = await findEngine(wanted);
  await buildFunctions();
  const startedAt = performance.now();
  await withBuildContext(vmafSource, (context) => engine.build({ context, tag, base, volumes: volume }));
  console.log(
    `built by        ${engine.name} in ${seconds(performance.now() - startedAt)} for ${process.arch}`,
  );
  console.log(`size            ${await engine.size(tag)}`);
  const container = await engine.open(tag);
  try {
    console.log(`ffmpeg          ${await ffmpegVersion(container)}`);
    const lines: string[] = [];
    const log = (source: string, line: string) => lines.push(`[${source}] ${line}`);
    const run = await runOnce(container, clip, log).catch((error) => {
      console.error(lines.join('\n'));
      throw error;
    });
    console.log(`ready           ${seconds(run.startMs)} after its start`);
    console.log(`ran one job     ${seconds(run.workMs)}, ${run.job.state}`);
    for (const { name, answer } of run.chunkWorkers) console.log(`${name.padEnd(15)} answered ${answer}`);
    console.log(JSON.stringify(run.job.output_files, withoutUrl, 2));
    if (test) await runTests(container, testFiles);
  } finally {
    await container.close();
  }
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(2)} s`;
}

function withoutUrl(key: string, value: unknown): unknown {
  return key === 'storage_url' ? undefined : value;
}

await runMain(async () => {
  const flags = readFlags();
  if (flags.help) console.log(usage);
  else if (flags.programs === undefined) await buildAndRun(flags);
  else await testPrograms(flags.programs, flags);
});
