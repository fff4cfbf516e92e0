import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { closeServer, listenOnLoopback } from '@media-jobs/local-stage/http';
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
  const probe = createServer();
  const port = await listenOnLoopback(probe);
  await closeServer(probe);
  const child = spawn('moto_server', ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  await pRetry(() => fetch(`${endpoint}/moto-api/`), { retries: 200, factor: 1, minTimeout: 200 });
  return {
    endpoint,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
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
