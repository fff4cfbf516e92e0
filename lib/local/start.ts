import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Log, lockDataDirectory } from '@media-jobs/local-stage';
import { findFfmpeg } from '@media-jobs/video/local-programs';
import { stageOwnerId } from '../../core/access/owner.ts';
import { buildDashboard } from '../build/build-dashboard.ts';
import { synthesize } from '../build/synthesize.ts';
import { localOwnerId } from '../settings/local-owner.ts';
import { localLauncher } from './build-launcher.ts';
import { describeFfmpeg, describeIsolation } from './describe-ffmpeg.ts';
import { diskFullMessage, explainFullDisk } from './disk-full.ts';
import { firstApiKey } from './first-key.ts';
import { localSettings, readOtherS3 } from './local-settings.ts';
import { humanLog } from './log-lines.ts';
import { machineSlowness, storeMachineSlowness } from './machine-speed.ts';
import { samplePages } from './sample.ts';
import { startLocalStage } from './start-stage.ts';
import { welcome } from './welcome.ts';

const usage = `Runs the whole service on this machine, from the template of a deployment.

  npm start -- [--port N] [--data-dir FOLDER] [--settings FILE] [--s3 URL]
               [--assembly FOLDER] [--verbose] [--json]

  --port N            port of the API, 0 for any free port (default 8787)
  --data-dir FOLDER   folder for jobs, files and the API key (default .local)
  --settings FILE     JSON file of settings, which replace those of the stage "local" in cdk.json
  --s3 URL            S3 server that has the buckets of the setting "buckets", in place of the emulated one; its keys
                      are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, its region in AWS_REGION
  --assembly FOLDER   run this CDK assembly, such as a changed copy of cdk.out/local
  --verbose           print every line of the log, which is also in stage.log of the data folder
  --json              print one JSON line to stdout when ready: {"ready":true,"baseUrl","apiKey","ownerId"}
`;

type Flags = ReturnType<typeof readFlags>;

function readFlags() {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '8787' },
      'data-dir': { type: 'string', default: '.local' },
      settings: { type: 'string' },
      s3: { type: 'string' },
      assembly: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`--port is ${values.port}; expected a whole number from 0 to 65535.`);
  }
  return {
    port,
    dataDirectory: resolve(values['data-dir']),
    settingsFile: values.settings && resolve(values.settings),
    s3: values.s3,
    assembly: values.assembly && resolve(values.assembly),
    verbose: values.verbose,
    json: values.json,
  };
}

async function start({
  port,
  dataDirectory,
  settingsFile,
  s3,
  assembly,
  verbose,
  json,
}: Flags): Promise<() => Promise<void>> {
  // Synthesis and build take a while: an unusable directory is reported before.
  lockDataDirectory(dataDirectory)();
  const { settings, values } = await localSettings(settingsFile);
  const buckets = settings.buckets.map(({ bucket }) => bucket);
  const otherS3 = s3 === undefined ? undefined : readOtherS3(s3, buckets);
  console.error('Preparing the deployment template and the dashboard (half a minute the first time)');
  const [assemblyDirectory, dashboardDirectory] = await Promise.all([
    assembly ?? synthesize({ stage: 'local', settings: values }).then((synthesis) => synthesis.assemblyDirectory),
    buildDashboard(),
  ]);
  console.error('Starting the service');
  const { log, closed } = stageLog(join(dataDirectory, 'stage.log'), verbose);
  const clip = join(dataDirectory, 'sample.mp4');
  const samples = await samplePages(clip, log);
  const served = { assemblyDirectory, dataDirectory, dashboardDirectory, samples, buckets, otherS3 };
  // Before the stage goes on with jobs of an earlier run, which would take processor time.
  console.error('Measuring this machine');
  const slowness = await machineSlowness({ ...findFfmpeg(process.env), clip });
  const stage = await startLocalStage({ ...served, port, log });
  const apiKey = await firstApiKey(stage, dataDirectory);
  await storeMachineSlowness(stage, slowness);
  const { baseUrl } = stage;
  const ffmpeg = `${await describeFfmpeg(process.env)}\n             ${describeIsolation(await localLauncher())}`;
  const ownerId = settings.tenancy === 'single' ? stageOwnerId : localOwnerId;
  console.log(json ? JSON.stringify({ ready: true, baseUrl, apiKey, ownerId }) : welcome({ baseUrl, apiKey, ffmpeg }));
  return async () => {
    await stage.stop();
    await closed();
  };
}

/** Writes every line to a file, and to the terminal what matters to a person, or every line. */
function stageLog(file: string, verbose: boolean): { log: Log; closed(): Promise<void> } {
  const written = createWriteStream(file);
  const human = humanLog(console.error, () => new Date());
  const log: Log = (source, line) => {
    written.write(`${new Date().toISOString()} [${source}] ${line}\n`);
    if (verbose) console.error(`[${source}] ${line}`);
    else human(source, line);
  };
  return { log, closed: () => new Promise((resolve) => written.end(() => resolve())) };
}

/** Prints the message without the stack: expected errors are meant for the user. */
function fail(error: unknown): never {
  const isPortTaken = error instanceof Error && 'port' in error && 'code' in error && error.code === 'EADDRINUSE';
  const known = isPortTaken
    ? `Port ${error.port} is in use by another program. Choose another with --port, or 0 for any free port.`
    : diskFullMessage(error);
  console.error(known ?? (error instanceof Error ? error.message : error));
  process.exit(1);
}

explainFullDisk();
const started = (async () => start(readFlags()))();
started.catch(fail);

let stopping = false;
function stop(): void {
  // A second Ctrl-C exits at once. The sandboxes end by themselves when this process ends.
  if (stopping) process.exit(130);
  stopping = true;
  started
    .then((stopStage) => stopStage())
    .then(() => process.exit(0))
    .catch(fail);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

// npm passes SIGTERM to the shell that it has started, which ends without passing it on.
const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  stop();
}, 500).unref();
