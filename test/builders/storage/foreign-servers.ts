import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
import { goProgram } from '@media-jobs/testing/go-program';
import pRetry from 'p-retry';

export type ForeignServer = AsyncDisposable & { endpoint: string };

/** Whether moto is installed (PyPI), whose server implements services of AWS. Warns if it is not. */
export async function hasMoto(): Promise<boolean> {
  const found = await promisify(execFile)('moto_server', ['--help']).catch(() => undefined);
  if (found === undefined) console.warn('Skipped: moto_server is not on the PATH (pip install "moto[server]").');
  return found !== undefined;
}

/** Starts moto on a free port, with empty services. */
export async function startMoto(): Promise<ForeignServer> {
  const [port = 0] = await freePorts(1);
  return started(spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' }), port);
}

/** SeaweedFS, under the Apache License 2.0. Its releases have no versions that Go knows. */
const seaweedFs = { module: 'github.com/seaweedfs/seaweedfs@v0.0.0-20261109003541-7506e5f91cd6', directory: './weed' };

/** Starts SeaweedFS on free ports, with an empty directory; undefined, with a warning, if it cannot be built. */
export async function startSeaweedFs(): Promise<ForeignServer | undefined> {
  const program = await goProgram(seaweedFs).catch((error: Error) => {
    console.warn(`Skipped: SeaweedFS cannot be built: ${error.message}`);
  });
  if (program === undefined) return undefined;
  const directory = await mkdtemp(path.join(tmpdir(), 'media-jobs-seaweedfs-'));
  const { accessKeyId: accessKey, secretAccessKey: secretKey } = foreignKeys;
  const actions = ['Admin', 'Read', 'Write', 'List', 'Tagging'];
  const identities = [{ name: 'test', credentials: [{ accessKey, secretKey }], actions }];
  await writeFile(path.join(directory, 's3.json'), JSON.stringify({ identities }));
  // Each bucket has volumes of its own; by default seven at once.
  await writeFile(path.join(directory, 'master.toml'), '[master.volume_growth]\ncopy_1 = 1\n');
  const names = ['master', 'volume', 'filer', 's3'].flatMap((server) => [`${server}.port`, `${server}.port.grpc`]);
  const ports = await freePorts(names.length);
  const options = {
    ...{
      dir: directory,
      ip: '127.0.0.1',
      'ip.bind': '127.0.0.1',
      s3: true,
      's3.config': path.join(directory, 's3.json'),
    },
    ...{ 'volume.max': 10_000, 'master.volumeSizeLimitMB': 1_000, 'master.telemetry': false },
    ...{ 's3.port.iceberg': 0, 's3.port.lance': 0, 's3.autoCreateBucket': false },
    ...Object.fromEntries(names.map((name, index) => [name, ports[index]])),
  };
  const flags = Object.entries(options).map(([name, value]) => `-${name}=${value}`);
  const child = spawn(program, ['server', ...flags], { cwd: directory, stdio: 'ignore' });
  const server = await started(child, ports[names.indexOf('s3.port')] ?? 0);
  return {
    endpoint: server.endpoint,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** A server that answers at a port of this machine. */
async function started(child: ChildProcess, port: number): Promise<ForeignServer> {
  const endpoint = `http://127.0.0.1:${port}`;
  await pRetry(() => fetch(endpoint), { retries: 300, factor: 1, minTimeout: 200 });
  return {
    endpoint,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Ports that were free a moment ago. */
async function freePorts(count: number): Promise<number[]> {
  const probes = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(probes.map((probe) => listenOnLoopback(probe)));
  await Promise.all(probes.map(closeServer));
  return ports;
}

export const foreignKeys = { accessKeyId: 'FOREIGNKEY', secretAccessKey: 'a-secret-of-the-other-server' };

/** A client of another S3 server, with empty buckets. */
export async function aForeignClient(
  { endpoint }: { endpoint: string },
  buckets: readonly string[],
): Promise<S3Client> {
  const client = new S3Client({ endpoint, region: 'us-east-1', credentials: foreignKeys, forcePathStyle: true });
  for (const Bucket of buckets) await client.send(new CreateBucketCommand({ Bucket }));
  return client;
}
