// @module-tag sources
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { aLauncher, launcherDirectory, runAttempts } from './decoder/run-attempts.ts';

/** What only Landlock stops, as functions/transcode/DECISION.md lists it. */
const files = [
  'a file beside its job, to read',
  'a file beside its job, to write',
  'the folder beside its job',
  'users of the system',
  'processes of the system',
  'a program beside its job',
  'a program that it wrote',
];
const network = ['socket, TCP'];

it.runIf(launcherDirectory).each([
  { kernel: 'with', landlock: true, local: [], remote: [] },
  { kernel: 'without', landlock: false, local: files, remote: [...network, ...files] },
])('a program in place of ffmpeg, on a kernel $kernel Landlock, reaches $remote', async ({ landlock, ...reached }) => {
  const ports = { otherPort: await aServer(), proxyPort: await aServer() };
  const { local, remote } = await runAttempts(await aLauncher({ landlock }), ports);
  expect(Math.min(local.size, remote.size)).toBeGreaterThan(40);
  expect([reachedIn(local), reachedIn(remote)]).toEqual([reached.local, reached.remote]);
});

function reachedIn(attempts: ReadonlyMap<string, string>): string[] {
  return [...attempts].flatMap(([attempt, result]) => (result === 'reached' ? [attempt] : []));
}

async function aServer(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}
