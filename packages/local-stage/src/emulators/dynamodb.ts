import { EventEmitter, once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server, ServerResponse } from 'node:http';
import dynalite from 'dynalite';
import { closeServer, interceptRequests, serveOnLoopback } from '../http-server.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import type { StagePlan } from '../template/stage-plan.ts';
import { callEmulator } from './aws-json.ts';
import { type Emulator, EmulatorError } from './emulator.ts';
import type { Traffic } from './traffic.ts';

/** Starts dynalite, with its tables in LevelDB files in `directory`. */
export async function startDynamoDb(
  directory: string,
  traffic: Traffic,
  guard: PermissionGuard = permissionGuard(),
): Promise<Emulator> {
  await mkdir(directory, { recursive: true });
  const server = dynalite({ path: directory, createTableMs: 0 });
  const requests = trackRequests(server);
  guard.watch('dynamodb', server);
  traffic.watch('dynamodb', server);
  const port = await serveOnLoopback(server, { pages: 'none' });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      await requests.idle();
      await closeServer(server);
    },
  };
}

/**
 * Tracks requests in progress. dynalite throws outside of any promise when its database closes, or the client
 * disconnects, during a request.
 */
function trackRequests(server: Server): { idle(): Promise<void> } {
  const inProgress = new Set<ServerResponse>();
  const emitter = new EventEmitter();
  interceptRequests(server, (request, response, handle) => {
    request.once('end', () => inProgress.add(response));
    const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
    response.end = (...args: unknown[]) => {
      inProgress.delete(response);
      if (inProgress.size === 0) emitter.emit('idle');
      return end(...args);
    };
    handle();
    request.removeAllListeners('error').on('error', () => undefined);
  });
  return {
    async idle() {
      if (inProgress.size > 0) await once(emitter, 'idle');
    },
  };
}

/** Creates missing tables. Existing tables are not changed: dynalite cannot add an index. */
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

// DynamoDB accepts only DescribeTable until a new table is active.
async function activeTable(endpoint: string, name: string): Promise<Keys> {
  for (;;) {
    const call = { endpoint, target: 'DynamoDB_20120810.DescribeTable', body: { TableName: name } };
    const { Table } = await callEmulator<{ Table: Keys & { TableStatus: string } }>(call);
    if (Table.TableStatus === 'ACTIVE') return Table;
  }
}

function requireSameKeys(name: string, actual: Keys, expected: Keys): void {
  if (serializeKeys(actual) === serializeKeys(expected)) return;
  throw new Error(
    `Table ${name} in the data directory differs from the template in its keys or indexes. ` +
      'The emulator cannot change a table: start with a fresh --data-dir, or remove the old one.',
  );
}

function serializeKeys({ KeySchema, GlobalSecondaryIndexes = [] }: Keys): string {
  const indexes = GlobalSecondaryIndexes.map((index) => [index.IndexName, index.KeySchema, index.Projection]);
  return JSON.stringify([KeySchema, indexes.sort(([a], [b]) => String(a).localeCompare(String(b)))]);
}
