import type { Stage } from '@media-jobs/local-stage';
import { allScopes } from '../../core/access/scopes.ts';
import { firstApiKey } from '../../lib/local/first-key.ts';
import { startLocalStage } from '../../lib/local/start-stage.ts';
import { anApiKeyOf } from '../../test/builders/stage/an-api-key.ts';
import type { HostCommand, HostReport } from './host-messages.ts';

/**
 * A process that runs a stage on the given directories, with keys of the owners named after them, and takes commands by
 * IPC; it may be killed at any time.
 */
const [assemblyDirectory = '', dataDirectory = '', environment = '{}', ...owners] = process.argv.slice(2);
const stage = await startLocalStage({
  assemblyDirectory,
  dataDirectory,
  port: 0,
  environment: JSON.parse(environment),
  log: (source, line) => console.error(`${source} ${line}`),
});
const running = new Map<number, () => void>();

process.on('message', (order: HostCommand) => {
  if (order.kind === 'fail') running.set(order.id, stage.faults.fail(order.fault));
  if (order.kind === 'mend') {
    running.get(order.id)?.();
    running.delete(order.id);
  }
  if (order.kind === 'kill') void stage.faults.killSandboxes(order.functionName);
  if (order.kind === 'stop') void stop(stage);
});
process.on('disconnect', () => void stop(stage));
send({
  kind: 'ready',
  ...describe(stage),
  apiKey: await firstApiKey(stage, dataDirectory),
  keys: Object.fromEntries(
    await Promise.all(
      owners.map(async (owner) => [owner, await anApiKeyOf(stage, owner, { scopes: allScopes })] as const),
    ),
  ),
});

function describe({ baseUrl, resources }: Stage): { baseUrl: string; functions: string[] } {
  return { baseUrl, functions: resources.functions };
}

function send(report: HostReport): void {
  process.send?.(report);
}

async function stop(running: Stage): Promise<void> {
  await running.stop();
  process.exit(0);
}
