import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createBuckets, emulatorTraffic, startS3 } from '@media-jobs/local-stage/emulators';
import { aWebServer, type WebServer } from '@media-jobs/testing/web-server';
import { makeClip } from '../../../lib/local/sample.ts';
import { divideCapacity } from '../../../lib/settings/capacity.ts';
import { settingsSchema } from '../../../lib/settings/settings.ts';
import { serveFile } from '../harness/jobs/file-server.ts';
import type { QueueOptions } from '../harness/peers/queue-process.ts';
import { type PeerRow, peerFigure } from '../harness/peers/row.ts';
import { proportionalBytes } from '../harness/process/process-memory.ts';
import { descendants, type Process, treeSeconds } from '../harness/process/processor-time.ts';
import { benchStage } from '../harness/stage/bench-stage.ts';

const peer = 'queue';
const modules = join(import.meta.dirname, '../../../node_modules/.cache/peers');
const { workers: atOnce } = divideCapacity(settingsSchema.parse({ stage: 'bench' }));

const recipe = { name: 'compress', crf: 28, preset: 'veryfast' } as const;
const ffmpegArguments = [
  ...['-map', '0:v:0', '-map', '0:a:0?', '-c:v', 'libx264', '-preset', recipe.preset, '-crf', `${recipe.crf}`],
  ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '128k', '-movflags', '+faststart'],
];

const pairs = 3;
const jobs = 40;
const clipSeconds = 3.5;
const killed = { jobs: 2, kills: 2, clipSeconds: 30, waitMs: 240_000 };

/** A service that takes jobs: ours on a local stage, or the processes that a team writes. */
type Side = {
  name: 'ours' | 'theirs';
  submit(input: string, webhook: string): Promise<unknown>;
  /** Kills what runs jobs, as a lost machine does. It starts again. */
  kill(): Promise<void>;
  processes(): Process[];
};

export const queue: PeerRow = {
  peer,
  program: 'sh',
  versionArguments: ['-c', `cat ${modules}/node_modules/execa/package.json >&2 && redis-server --version`],
  install: [
    'sh',
    '-c',
    `apt-get install -y redis-server && npm install --no-save --prefix ${modules} bullmq@5 execa@9`,
  ],
  async run({ ffmpeg, directory, print }) {
    await using cleanup = new AsyncDisposableStack();
    const hooks = await aWebServer((_, response) => void response.writeHead(204).end());
    cleanup.defer(hooks.close);
    const served = async (seconds: number) => {
      const path = join(directory, `queue-${seconds}.mp4`);
      await makeClip({ ffmpeg, path, seconds });
      const file = await serveFile(path);
      cleanup.defer(file.close);
      return file.url;
    };
    const [short, long] = [await served(clipSeconds), await served(killed.clipSeconds)];
    const theirs = await theirService({ ffmpeg, directory, cleanup });
    const sides = [await ownService(cleanup, theirs), theirs];
    const [seconds, processor, memory]: [number[], number[], number[]] = [[], [], []];
    for (let pair = 0; pair <= pairs; pair++) {
      const used: Partial<Record<Side['name'], Load>> = {};
      for (const side of pair % 2 === 0 ? sides : sides.toReversed()) {
        const load = await loadOf(side, { hooks, input: short, run: pair });
        used[side.name] = load;
        print(
          `  ${side.name}: ${load.seconds.toFixed(1)} s, ${load.processor.toFixed(1)} s of processor time, ${(load.bytes / 2 ** 20).toFixed(0)} MiB`,
        );
      }
      // The first pair warms both up.
      if (pair === 0) continue;
      const ratioOf = (quantity: keyof Load) => (used.ours?.[quantity] ?? 0) / (used.theirs?.[quantity] ?? 0);
      seconds.push(ratioOf('seconds'));
      processor.push(ratioOf('processor'));
      memory.push(ratioOf('bytes'));
    }
    const [oursLost = 0, theirsLost = 0] = await Promise.all(
      sides.map(async (side) => {
        const lost = await lostJobs(side, { hooks, input: long });
        print(`  ${side.name}: ${lost} of ${killed.jobs} jobs lost by ${killed.kills} kills`);
        return lost;
      }),
    );
    return [
      peerFigure(peer, `queue, seconds from the first POST to the last webhook of ${jobs} jobs`, seconds, 1),
      peerFigure(peer, 'queue, processor time', processor, 1),
      peerFigure(peer, 'queue, memory without ffmpeg', memory, 1),
      peerFigure(peer, 'queue, jobs lost by two kills (1 added to both)', [(oursLost + 1) / (theirsLost + 1)], 1),
    ];
  },
};

type Load = { seconds: number; processor: number; bytes: number };

async function loadOf(
  { name, submit, processes }: Side,
  { hooks, input, run }: { hooks: WebServer; input: string; run: number },
): Promise<Load> {
  let bytes = 0;
  const sample = () => {
    const own = processes().filter(({ name: program }) => !program.startsWith('ff'));
    const now = own.reduce((sum, { id }) => sum + proportionalBytes(id), 0);
    bytes = Math.max(bytes, now);
  };
  const sampling = setInterval(sample, 500);
  const [startedAt, before] = [Date.now(), treeSeconds()];
  const path = `/${name}/${run}/`;
  for (let job = 0; job < jobs; job++) await submit(input, `${hooks.origin}${path}${job}`);
  const events = await hooks.seen(jobs, path);
  clearInterval(sampling);
  return {
    seconds: (Math.max(...events.map(({ at }) => at)) - startedAt) / 1000,
    processor: treeSeconds() - before,
    bytes,
  };
}

/** How many jobs end without a webhook of their completion, after the first run of all and the second are killed. */
async function lostJobs(
  { name, submit, kill, processes }: Side,
  { hooks, input }: { hooks: WebServer; input: string },
): Promise<number> {
  const path = `/${name}/killed/`;
  for (let job = 0; job < killed.jobs; job++) await submit(input, `${hooks.origin}${path}${job}`);
  const encoders = () => processes().filter(({ name: program }) => program === 'ffmpeg').length;
  const until = Date.now() + killed.waitMs;
  for (let kills = 0; kills < killed.kills; kills++) {
    while (encoders() < killed.jobs && Date.now() < until) await wait(200);
    await kill();
    while (encoders() > 0) await wait(50);
  }
  const events = await Promise.race([hooks.seen(killed.jobs, path), wait(until - Date.now(), [])]);
  const seen = events.length > 0 ? events : hooks.requests.filter((request) => request.path.startsWith(path));
  const completed = seen.filter(({ body }) => /"state":"completed"/.test(body));
  return killed.jobs - new Set(completed.map((event) => event.path)).size;
}

async function ownService(cleanup: AsyncDisposableStack, theirs: Side): Promise<Side> {
  const { client, stage } = cleanup.use(await benchStage());
  const transcode = stage.resources.functions.find((name) => /transcode/.test(name));
  return {
    name: 'ours',
    submit: (url, webhookUrl) =>
      client.createJob({
        body: { mode: 'recipe', input: { url }, output: { format: 'mp4' }, recipe, webhookUrl },
      }),
    kill: () => stage.faults.killSandboxes(transcode),
    processes: () => {
      const others = new Set(theirs.processes().map(({ id }) => id));
      return descendants().filter(({ id }) => !others.has(id));
    },
  };
}

async function theirService({
  ffmpeg,
  directory,
  cleanup,
}: {
  ffmpeg: string;
  directory: string;
  cleanup: AsyncDisposableStack;
}): Promise<Side> {
  const s3 = await startS3(join(directory, 'queue-s3'), emulatorTraffic());
  cleanup.defer(s3.stop);
  const bucket = 'media';
  await createBuckets(s3.endpoint, [{ name: bucket }]);
  const socket = join(directory, 'redis.sock');
  const redis = spawn(
    'redis-server',
    ['--port', '0', '--unixsocket', socket, '--dir', directory, '--appendonly', 'yes'],
    { stdio: 'ignore' },
  );
  cleanup.defer(async () => {
    const exited = once(redis, 'exit');
    redis.kill();
    await exited;
  });
  while (!(await isThere(socket))) await wait(100);
  const shared = { modules, redis: socket, s3Endpoint: s3.endpoint, bucket, ffmpeg, ffmpegArguments, atOnce };
  const start = (role: QueueOptions['role']): ChildProcess =>
    fork(join(import.meta.dirname, '../harness/peers/queue-process.ts'), [JSON.stringify({ ...shared, role })], {
      // Its programs are killed with it, as on a machine of its own.
      detached: true,
    });
  const stop = async (child: ChildProcess) => {
    const exited = once(child, 'exit');
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    await exited;
  };
  const [api, running] = [start('api'), { worker: start('worker') }];
  cleanup.defer(() => stop(api));
  cleanup.defer(() => stop(running.worker));
  const [port] = await once(api, 'message');
  const roots = () => [redis, api, running.worker].flatMap(({ pid }) => pid ?? []);
  return {
    name: 'theirs',
    submit: async (input, webhook) => {
      const body = JSON.stringify({ input, webhook });
      const { ok, status } = await fetch(`http://127.0.0.1:${port}/jobs`, { method: 'POST', body });
      if (!ok) throw new Error(`The queue's API answered ${status}`);
    },
    kill: async () => {
      await stop(running.worker);
      running.worker = start('worker');
    },
    processes: () => {
      const wanted = new Set(roots());
      return descendants()
        .filter(({ id }) => wanted.has(id))
        .concat(roots().flatMap((id) => descendants(id)));
    },
  };
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
