import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export type ExecutionStatus = 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';

/** One execution. Times are Unix milliseconds; `input` and `output` are JSON. */
export type Execution = {
  executionArn: string;
  stateMachineArn: string;
  name: string;
  input: string;
  status: ExecutionStatus;
  startedAt: number;
  stoppedAt: number | null;
  output: string | null;
  error: string | null;
  cause: string | null;
};

export type ExecutionResult = {
  status: ExecutionStatus;
  output?: string | undefined;
  error?: string | undefined;
  cause?: string | undefined;
};

/** The executions of all state machines, on disk: a name stays in use after a restart. */
export type ExecutionStore = {
  /** @returns false if the name is in use */
  add(execution: Pick<Execution, 'executionArn' | 'stateMachineArn' | 'name' | 'input' | 'startedAt'>): boolean;
  get(executionArn: string): Execution | undefined;
  /** Those of a state machine, newest first. */
  running(stateMachineArn: string, limit: number): Execution[];
  finish(executionArn: string, result: ExecutionResult, stoppedAt: number): void;
  close(): void;
};

/** Opens the store. Aborts executions that ran when the stage stopped. AWS would continue them; jobs must not need it. */
export function openExecutionStore(directory: string): ExecutionStore {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'executions.db'));
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(`CREATE TABLE IF NOT EXISTS executions (
    executionArn TEXT PRIMARY KEY, stateMachineArn TEXT, name TEXT, input TEXT, status TEXT,
    startedAt INTEGER, stoppedAt INTEGER, output TEXT, error TEXT, cause TEXT)`);
  database.exec(`UPDATE executions SET status = 'ABORTED', cause = 'The local stage stopped' WHERE status = 'RUNNING'`);
  const add = database.prepare(`INSERT INTO executions (executionArn, stateMachineArn, name, input, status, startedAt)
    VALUES (?, ?, ?, ?, 'RUNNING', ?) ON CONFLICT DO NOTHING`);
  const get = database.prepare('SELECT * FROM executions WHERE executionArn = ?');
  const running = database.prepare(
    `SELECT * FROM executions WHERE stateMachineArn = ? AND status = 'RUNNING' ORDER BY startedAt DESC LIMIT ?`,
  );
  const finish = database.prepare(`UPDATE executions SET status = ?, output = ?, error = ?, cause = ?, stoppedAt = ?
    WHERE executionArn = ? AND status = 'RUNNING'`);
  return {
    add: ({ executionArn, stateMachineArn, name, input, startedAt }) =>
      add.run(executionArn, stateMachineArn, name, input, startedAt).changes === 1,
    get: (executionArn) => get.get(executionArn) as Execution | undefined,
    running: (stateMachineArn, limit) => running.all(stateMachineArn, limit) as Execution[],
    finish(executionArn, { status, output, error, cause }, stoppedAt) {
      finish.run(status, output ?? null, error ?? null, cause ?? null, stoppedAt, executionArn);
    },
    close: () => database.close(),
  };
}
