import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { clientOptions, s3Credentials } from '@media-jobs/local-stage/emulators';
import { listenOnLoopback } from '@media-jobs/local-stage/http';

export type QueueOptions = {
  role: 'api' | 'worker';
  /** The directory whose node_modules has BullMQ and execa. */
  modules: string;
  /** The path of the socket of Redis. */
  redis: string;
  s3Endpoint: string;
  bucket: string;
  ffmpeg: string;
  ffmpegArguments: readonly string[];
  /** Jobs of the worker at a time. */
  atOnce: number;
};

/**
 * One of the two processes that a team writes in place of this service: an API that queues jobs with BullMQ, or a worker that
 * runs ffmpeg by execa, uploads to S3 and calls the webhook. Options of BullMQ are its defaults, with three attempts.
 */
const { role, modules, redis, s3Endpoint, bucket, ffmpeg, ffmpegArguments, atOnce }: QueueOptions = JSON.parse(
  process.argv[2] ?? '',
);

type Job = { id: string; data: { input: string; webhook: string } };
type BullMq = {
  Queue: new (name: string, options: object) => { add(name: string, data: object, options: object): Promise<Job> };
  Worker: new (
    name: string,
    run: (job: Job) => Promise<void>,
    options: object,
  ) => { on(event: 'failed', handle: (job: Job | undefined, error: Error) => void): void };
};
type Execa = { execa: (program: string, args: readonly string[]) => Promise<unknown> };

const load = createRequire(join(modules, 'package.json'));
const { Queue, Worker }: BullMq = load('bullmq');
const name = 'media';

if (role === 'api') {
  const queue = new Queue(name, { connection: { path: redis } });
  const server = createServer(async (request, response) => {
    const { id } = await queue.add('compress', (await json(request)) as object, { attempts: 3 });
    response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ id }));
  });
  process.send?.(await listenOnLoopback(server));
} else {
  const { execa }: Execa = load('execa');
  const s3 = new S3Client({ ...clientOptions(s3Endpoint), credentials: s3Credentials, forcePathStyle: true });
  const run = async ({ id, data: { input, webhook } }: Job) => {
    const directory = await mkdtemp(join(tmpdir(), 'queue-'));
    try {
      const [source, path] = [join(directory, 'in.mp4'), join(directory, 'out.mp4')];
      const { body } = await fetch(input);
      if (body === null) throw new Error('The answer has no body');
      await pipeline(Readable.fromWeb(body), createWriteStream(source));
      await execa(ffmpeg, ['-v', 'error', '-nostdin', '-i', source, ...ffmpegArguments, path]);
      const object = { Bucket: bucket, Key: `${id}.mp4` };
      await s3.send(new PutObjectCommand({ ...object, Body: createReadStream(path) }));
      await call(webhook, { id, state: 'completed', url: await getSignedUrl(s3, new GetObjectCommand(object)) });
    } finally {
      await rm(directory, { recursive: true });
    }
  };
  const worker = new Worker(name, run, { connection: { path: redis }, concurrency: atOnce });
  worker.on('failed', (job, error) => console.error(`  theirs: job ${job?.id} failed: ${error.message}`));
}

async function call(webhook: string, event: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(webhook, { method: 'POST', headers, body: JSON.stringify(event) });
  if (!ok) throw new Error(`The webhook was answered ${status}`);
}
