import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { synthesize } from '../../lib/build/synthesize.ts';
import { closeServer, listenOnLoopback } from '../../local/http-server.ts';
import { aFolder } from './builders/a-folder.ts';

const script = join(import.meta.dirname, '../../local/start.ts');
const running: ChildProcess[] = [];

// What takes long the first time, so that no test waits for it.
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

it('prints one JSON line when it is ready, and finds the same key again', async () => {
  const dataDirectory = await aFolder();
  const first = await start('--port', '0', '--data-dir', dataDirectory, '--json');
  const { ready, baseUrl, apiKey } = JSON.parse(first.line ?? '');
  expect([ready, apiKey]).toEqual([true, expect.stringMatching(/^nte_\w{48}$/)]);
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

it('says which port another program has', async () => {
  const other = createServer();
  const port = await listenOnLoopback(other);
  const { exited, output } = await start('--port', String(port), '--data-dir', await aFolder());
  expect(await exited).toEqual([1, null]);
  await closeServer(other);
  expect(output).toContain(
    `Port ${port} is taken by another program: choose one by --port, or 0 for any that is free.`,
  );
});

it('says in one sentence why it does not start', async () => {
  const { exited, output } = await start('--port', 'many');
  expect(await exited).toEqual([1, null]);
  expect(output).toEqual(['--port is many; it must be a whole number from 0 to 65535.']);
});
