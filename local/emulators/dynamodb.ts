import { EventEmitter, once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import { closeServer, interceptRequests, listenOnLoopback } from '../http-server.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { callEmulator, EmulatorError } from './aws-json.ts';
import type { Emulator } from './emulator.ts';
import type { Traffic } from './traffic.ts';

/** dynalite, with its tables in LevelDB files under `directory`. */
export async function startDynamoDb(directory: string, traffic: Traffic): Promise<Emulator> {
  await mkdir(directory, { recursive: true });
  const server = dynalite({ path: directory, createTableMs: 0 });
  const work = requestsAtWork(server);
  traffic.watch('dynamodb', server);
  const port = await listenOnLoopback(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await work.done();
      await closeServer(server);
    },
  };
}

/**
 * Follows the requests that dynalite works on, since it throws, outside of any promise, when its database closes under
 * one, and when a caller goes away in the middle of one.
 */
function requestsAtWork(server: Server): { done(): Promise<void> } {
  const atWork = new Set<ServerResponse>();
  const idle = new EventEmitter();
  interceptRequests(server, (request, response, handle) => {
    request.once('end', () => atWork.add(response));
    const end = response.end.bind(response) as (...answer: unknown[]) => ServerResponse;
    response.end = (...answer: unknown[]) => {
      atWork.delete(response);
      if (atWork.size === 0) idle.emit('idle');
      return end(...answer);
    };
    handle();
    request.removeAllListeners('error').on('error', () => undefined);
  });
  return {
    async done() {
      if (atWork.size > 0) await once(idle, 'idle');
    },
  };
}

/** Creates the tables that do not exist yet. A table that does is left as it is: dynalite cannot add an index. */
export async function createTables(endpoint: string, tables: StagePlan['tables']): Promise<void> {
  await Promise.all(
    tables.map(async ({ name, TableName: _, ...table }) => {
      try {
        await callEmulator({
          endpoint,
          target: 'DynamoDB_20120810.CreateTable',
          body: { TableName: name, ...table },
        });
      } catch (error) {
        if (!(error instanceof EmulatorError && error.code === 'ResourceInUseException')) throw error;
      }
      requireSameKeys(name, await activeTable(endpoint, name), table);
    }),
  );
}

type Keys = Pick<StagePlan['tables'][number], 'KeySchema' | 'GlobalSecondaryIndexes'>;
type Description = { Table: Keys & { TableStatus: string } };

// A table that was just created is not there yet for anything but this question.
async function activeTable(endpoint: string, name: string): Promise<Keys> {
  for (;;) {
    const call = { endpoint, target: 'DynamoDB_20120810.DescribeTable', body: { TableName: name } };
    const { Table } = await callEmulator<Description>(call);
    if (Table.TableStatus === 'ACTIVE') return Table;
  }
}

function requireSameKeys(name: string, present: Keys, wanted: Keys): void {
  if (keysOf(present) === keysOf(wanted)) return;
  throw new Error(
    `Table ${name} in the data directory has other keys or indexes than the template. ` +
      'The emulator cannot change a table: start with a fresh --data-dir, or remove the old one.',
  );
}

function keysOf({ KeySchema, GlobalSecondaryIndexes = [] }: Keys): string {
  const indexes = GlobalSecondaryIndexes.map((index) => [index.IndexName, index.KeySchema, index.Projection]);
  return JSON.stringify([KeySchema, indexes.sort(([a], [b]) => String(a).localeCompare(String(b)))]);
}
