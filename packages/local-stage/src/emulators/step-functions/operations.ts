import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import { EmulatorError } from '../emulator.ts';
import type { Execution, ExecutionStore } from './execution-store.ts';
import type { Interpreter } from './interpreter.ts';
import type { TaskTokens } from './task-tokens.ts';

export type Machine = { name: string; arn: string; interpreter: Interpreter };

/** Running executions by ARN. */
export type RunningExecutions = Map<string, { ended: Promise<void>; abort(): void }>;

type State = {
  store: ExecutionStore;
  machines: ReadonlyMap<string, Machine>;
  running: RunningExecutions;
  tokens: TaskTokens;
};

const maxInputBytes = 262_144;

const startInput = z.object({
  stateMachineArn: z.string(),
  name: z
    .string()
    .regex(/^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u)
    .optional(),
  input: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= maxInputBytes, `at most ${maxInputBytes} bytes`)
    .default('{}'),
  traceHeader: z.string().optional(),
});
const stopInput = z.object({
  executionArn: z.string(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
const successInput = z.object({ taskToken: z.string(), output: z.string() });
const failureInput = z.object({
  taskToken: z.string(),
  error: z.string().max(256).default(''),
  cause: z.string().max(32_768).default(''),
});
const describeInput = z.object({ executionArn: z.string() });
const listInput = z.object({
  stateMachineArn: z.string(),
  statusFilter: z.literal('RUNNING', 'only running executions are listed here'),
  maxResults: z.int().min(1).max(1000).default(100),
});

/**
 * Handles one request.
 *
 * @param operation `StartExecution`, `StopExecution`, `DescribeExecution`, `ListExecutions`, `SendTaskSuccess` or `SendTaskFailure`
 * @param body JSON
 * @throws EmulatorError with the error response
 */
export function handleOperation(operation: string, body: string, state: State): object {
  if (operation === 'StartExecution') return start(parse(startInput, body), state);
  if (operation === 'StopExecution') return stop(parse(stopInput, body), state);
  if (operation === 'DescribeExecution') return describe(parse(describeInput, body), state);
  if (operation === 'ListExecutions') return list(parse(listInput, body), state);
  if (operation === 'SendTaskSuccess') return succeedTask(parse(successInput, body), state);
  if (operation === 'SendTaskFailure') return failTask(parse(failureInput, body), state);
  throw new EmulatorError('UnknownOperationException', `${operation} does not exist here`);
}

function parse<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const result = schema.safeParse(JSON.parse(body));
  if (result.success) return result.data;
  const invalidName = result.error.issues.some(({ path }) => path[0] === 'name');
  throw new EmulatorError(invalidName ? 'InvalidName' : 'ValidationException', z.prettifyError(result.error));
}

function start({ stateMachineArn, name = randomUUID(), input }: z.output<typeof startInput>, state: State): object {
  const machine = state.machines.get(stateMachineArn);
  if (!machine) {
    throw new EmulatorError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
  }
  requireJson(input);
  const executionArn = arn('states', `execution:${machine.name}:${name}`);
  const startedAt = Date.now();
  if (!state.store.add({ executionArn, stateMachineArn, name, input, startedAt })) {
    return sameExecution(executionArn, input, state.store);
  }
  run(machine, { executionArn, name, input }, state);
  return { executionArn, startDate: startedAt / 1000 };
}

// As on AWS: StartExecution is idempotent for a running execution with the same input, else an error.
function sameExecution(executionArn: string, input: string, store: ExecutionStore): object {
  const existing = store.get(executionArn);
  if (existing?.status === 'RUNNING' && existing.input === input) {
    return { executionArn, startDate: existing.startedAt / 1000 };
  }
  throw new EmulatorError('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
}

function run(machine: Machine, execution: Pick<Execution, 'executionArn' | 'name' | 'input'>, state: State): void {
  const { ended, abort } = machine.interpreter.run(execution.input, {
    Execution: {
      Id: execution.executionArn,
      Name: execution.name,
      RoleArn: 'arn:aws:iam::000000000000:role/local',
    },
    StateMachine: { Id: machine.arn, Name: machine.name },
  });
  const settled = ended.then((result) => {
    state.running.delete(execution.executionArn);
    if (result) state.store.finish(execution.executionArn, result, Date.now());
  });
  state.running.set(execution.executionArn, { ended: settled, abort });
}

function stop({ executionArn, error, cause }: z.output<typeof stopInput>, { store, running }: State): object {
  const execution = requireExecution(store, executionArn);
  const stoppedAt = execution.stoppedAt ?? Date.now();
  store.finish(executionArn, { status: 'ABORTED', error, cause }, stoppedAt);
  running.get(executionArn)?.abort();
  return { stopDate: stoppedAt / 1000 };
}

function describe({ executionArn }: z.output<typeof describeInput>, { store }: State): object {
  const { startedAt, stoppedAt, output, error, cause, ...execution } = requireExecution(store, executionArn);
  return {
    ...execution,
    startDate: startedAt / 1000,
    stopDate: stoppedAt === null ? undefined : stoppedAt / 1000,
    output: output ?? undefined,
    error: error ?? undefined,
    cause: cause ?? undefined,
  };
}

function list({ stateMachineArn, maxResults }: z.output<typeof listInput>, { store }: State): object {
  const executions = store.running(stateMachineArn, maxResults).map(({ executionArn, name, status, startedAt }) => ({
    ...{ executionArn, stateMachineArn, name, status },
    startDate: startedAt / 1000,
  }));
  return { executions };
}

function succeedTask({ taskToken, output }: z.output<typeof successInput>, { tokens }: Pick<State, 'tokens'>): object {
  requireJson(output);
  return answered(tokens.succeed(taskToken, JSON.parse(output)));
}

function failTask(
  { taskToken, error, cause }: z.output<typeof failureInput>,
  { tokens }: Pick<State, 'tokens'>,
): object {
  return answered(tokens.fail(taskToken, { name: error, cause }));
}

function answered(isWaiting: boolean): object {
  if (!isWaiting) throw new EmulatorError('TaskTimedOut', 'Task Timed Out: the task has ended');
  return {};
}

function requireExecution(store: ExecutionStore, executionArn: string): Execution {
  const execution = store.get(executionArn);
  if (!execution) throw new EmulatorError('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  return execution;
}

function requireJson(input: string): void {
  try {
    JSON.parse(input);
  } catch {
    throw new EmulatorError('InvalidExecutionInput', 'The input is not JSON');
  }
}
