import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@media-jobs/client';
import { aTemporaryFolder } from '@media-jobs/testing/temporary-folder';
import { aWebServer } from '@media-jobs/testing/web-server';
import { generatedFile } from '@media-jobs/video/testing';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { synthesize } from '../../../lib/build/synthesize.ts';
import { localOwnerId } from '../../../lib/settings/local-owner.ts';
import { anAssemblyWithout } from '../../builders/stage/changed-assembly.ts';
import { patience } from '../../builders/stage/patience.ts';

const script = join(import.meta.dirname, '../../../lib/local/start.ts');
const running: ChildProcess[] = [];

// Synthesizes and builds first, because it takes long without a cache.
beforeAll(async () => {
  await synthesize({ stage: 'local' });
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

async function start(...flags: string[]) {
  const child = spawn(process.execPath, [script, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  const output: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => output.push(line));
  const exited = once(child, 'exit');
  const firstLine = once(createInterface({ input: child.stdout }), 'line');
  const line = await Promise.race([firstLine.then(([text]) => String(text)), exited.then(() => undefined)]);
  return { child, exited, line, output };
}

it('start prints one JSON line when ready, and uses the same key after a restart', async () => {
  const dataDirectory = await aTemporaryFolder();
  const first = await start('--port', '0', '--data-dir', dataDirectory, '--json');
  const { ready, baseUrl, apiKey, ownerId } = JSON.parse(first.line ?? '');
  expect([ready, apiKey, ownerId]).toEqual([true, expect.stringMatching(/^nte_\w{48}$/), localOwnerId]);
  const response = await fetch(`${baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': apiKey } });
  expect([response.status, await response.json()]).toEqual([200, { jobs: [], nextCursor: null }]);

  first.child.kill('SIGINT');
  expect(await first.exited).toEqual([0, null]);

  const second = await start('--port', '0', '--data-dir', dataDirectory, '--json');
  const again = JSON.parse(second.line ?? '');
  expect(again.apiKey).toBe(apiKey);
  const sameKey = await fetch(`${again.baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': apiKey } });
  expect(sameKey.status).toBe(200);
});

it('start merges the settings of --settings, and makes the buckets that they name', async () => {
  const dataDirectory = await aTemporaryFolder();
  const file = join(dataDirectory, 'settings.json');
  const bucket = { name: 'films', bucket: 'example-films', prefix: '{ownerId}/', access: 'read-write' };
  await writeFile(file, JSON.stringify({ buckets: [bucket], requestsPerSecond: 51 }));
  const { line, child, exited } = await start('--port', '0', '--data-dir', dataDirectory, '--settings', file, '--json');
  const { baseUrl, apiKey, ownerId } = JSON.parse(line ?? '');
  const call = (method: string, path: string) =>
    fetch(baseUrl + path, { method, headers: { 'x-api-key': apiKey } }).then((answer) => answer.json());
  expect(await call('GET', '/api/v1/storage-providers')).toMatchObject({
    storageProviders: [
      { id: 'bucket:films', bucket: 'example-films', prefix: `${ownerId}/`, access: { type: 'stage' } },
    ],
  });
  expect(await call('POST', '/api/v1/storage-providers/bucket:films/test')).toMatchObject({ ok: true });
  child.kill('SIGINT');
  await exited;
});

it.each([
  [['--settings', '/no/such/file.json'], /--settings: .* could not be read \(ENOENT\)/],
  [['--s3', 'ftp://127.0.0.1'], /--s3 is ftp:.*expected the base URL/],
  [['--s3', 'http://127.0.0.1:1'], /--s3 needs the setting "buckets"/],
])('start explains %j', async (flags, message) => {
  const { exited, output } = await start('--port', '0', '--data-dir', await aTemporaryFolder(), ...flags);
  expect(await exited).toEqual([1, null]);
  expect(output).toEqual([expect.stringMatching(message)]);
});

it('start names a port that is in use', async () => {
  const { port } = new URL((await aWebServer(() => undefined)).origin);
  const { exited, output } = await start('--port', port, '--data-dir', await aTemporaryFolder());
  expect(await exited).toEqual([1, null]);
  expect(output).toContain(
    `Port ${port} is in use by another program. Choose another with --port, or 0 for any free port.`,
  );
});

it('start prints only the message of an invalid option', async () => {
  const { exited, output } = await start('--port', 'many');
  expect(await exited).toEqual([1, null]);
  expect(output).toEqual(['--port is many; expected a whole number from 0 to 65535.']);
});

it('start runs the template of --assembly: without a permission it names the action', async () => {
  const assembly = await anAssemblyWithout('sqs:ReceiveMessage');
  const { exited, output } = await start('--port', '0', '--data-dir', await aTemporaryFolder(), '--assembly', assembly);
  expect(await exited).toEqual([1, null]);
  expect(output.join('\n')).toContain('is not authorized to perform: sqs:ReceiveMessage');
});

it('start prints why the service fails a job for good', async () => {
  const { line, output } = await start(
    '--port',
    '0',
    '--data-dir',
    await aTemporaryFolder(),
    '--assembly',
    await anAssemblyWithout('s3:PutObject'),
    '--json',
  );
  const { baseUrl, apiKey } = JSON.parse(line ?? '');
  const image = await readFile(
    await generatedFile('start.png', ['-f', 'lavfi', '-i', 'color=size=16x16', '-frames:v', '1']),
  );
  const server = await aWebServer((_, response) => response.end(image));
  const client = createClient({ baseUrl, apiKey });
  const { jobId } = await client.createJob({
    body: {
      mode: 'recipe',
      input: { url: `${server.origin}/image.png` },
      output: { format: 'jpg' },
      recipe: { name: 'image' },
    },
  });
  const job = () => client.getJob({ params: { id: jobId } });
  await vi.waitFor(async () => expect(await job()).toMatchObject({ state: 'failed' }), patience);
  expect(output).toContainEqual(
    expect.stringMatching(/^\d\d:\d\d:\d\d {2}permissions: .*is not authorized to perform: s3:PutObject on resource: /),
  );
});

/** The command lines of all processes that name a folder. Linux only. */
function commandLinesWith(folder: string): string[] {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => {
    try {
      return readFileSync(`/proc/${id}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  });
  return lines.filter((line) => line.includes(folder));
}

it('SIGTERM to npm start leaves no process behind', async () => {
  const dataDirectory = await aTemporaryFolder();
  const args = ['start', '--', '--port', '0', '--data-dir', dataDirectory, '--json'];
  const npm = spawn('npm', args, { stdio: ['ignore', 'pipe', 'ignore'] });
  running.push(npm);
  const ready = Promise.withResolvers<string>();
  createInterface({ input: npm.stdout }).on('line', (line) => {
    if (line.startsWith('{"ready"')) ready.resolve(line);
  });
  const { baseUrl, apiKey } = JSON.parse(await ready.promise);
  await fetch(`${baseUrl}/api/v1/jobs`, { headers: { 'x-api-key': apiKey } });
  expect(commandLinesWith(dataDirectory)).not.toEqual([]);
  npm.kill('SIGTERM');
  await vi.waitFor(() => expect(commandLinesWith(dataDirectory)).toEqual([]), patience);
});
