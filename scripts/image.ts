import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { buildFunctions } from '../lib/build/build-functions.ts';
import { buildDirectory } from '../lib/build/paths.ts';
import { type Container, findEngine } from './image/engine.ts';
import { runOnce } from './image/run-once.ts';

const usage = `Builds the workers' image and runs each worker once, as Lambda does: the transcoder on a clip, the others on chunks of a
job that does not exist.

  npm run image -- [--engine NAME] [--base IMAGE] [--volume FROM:TO:ro]... [--clip FILE]

  --engine NAME        docker, podman or buildah (default: the first that answers)
  --base IMAGE         base image instead of Node's, such as one built by scripts/image/debian-base.sh
  --volume FROM:TO:ro  a folder or file to mount during the build, such as certificates
  --clip FILE          the clip to transcode (default: five generated seconds)
`;

const tag = 'localhost/media-jobs-transcode';

function readFlags() {
  const { values } = parseArgs({
    options: {
      engine: { type: 'string' },
      base: { type: 'string' },
      volume: { type: 'string', multiple: true, default: [] },
      clip: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

async function ffmpegVersion(container: Container): Promise<string> {
  const { stdout } = container.start(['/opt/bin/ffmpeg', '-version']);
  const [line = ''] = (stdout ? await text(stdout) : '').split('\n');
  if (!line.startsWith('ffmpeg version')) throw new Error('ffmpeg does not start in the image.');
  return line;
}

async function buildAndRun({
  base,
  volume,
  clip,
  engine: wanted,
}: ReturnType<typeof readFlags>): Promise<void> {
  const engine = await findEngine(wanted);
  await buildFunctions();
  const startedAt = performance.now();
  await engine.build({ context: path.join(buildDirectory, 'images/transcode'), tag, base, volumes: volume });
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

try {
  const flags = readFlags();
  if (flags.help) console.log(usage);
  else await buildAndRun(flags);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
