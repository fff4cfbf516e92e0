import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { arn } from '../../aws-names.ts';
import type { Execution, ExecutionStore } from './execution-store.ts';
import type { Interpreter } from './interpreter.ts';

export type Machine = { name: string; arn: string; interpreter: Interpreter };

/** The executions that run now, by ARN. */
export type RunningExecutions = Map<string, { ended: Promise<void>; abort(): void }>;

type State = { store: ExecutionStore; machines: ReadonlyMap<string, Machine>; running: RunningExecutions };

/** A refusal: `code` is the AWS error code. */
class Refusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const mostInputBytes = 262_144;

const startInput = z.object({
  stateMachineArn: z.string(),
  name: z
    .string()
    .regex(/^[^\s\p{Cc}<>{}[\]?*"#%\\^|~`$&,;:/]{1,80}$/u)
    .optional(),
  input: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= mostInputBytes, `at most ${mostInputBytes} bytes`)
    .default('{}'),
  traceHeader: z.string().optional(),
});
const stopInput = z.object({
  executionArn: z.string(),
  error: z.string().optional(),
  cause: z.string().optional(),
});
const describeInput = z.object({ executionArn: z.string() });

/**
 * The answer to one request.
 *
 * @param operation `StartExecution`, `StopExecution` or `DescribeExecution`
 * @param body JSON
 */
export function handleOperation(
  operation: string,
  body: string,
  state: State,
): { status: number; body: object } {
  try {
    if (operation === 'StartExecution') return { status: 200, body: start(parsed(startInput, body), state) };
    if (operation === 'StopExecution') return { status: 200, body: stop(parsed(stopInput, body), state) };
    if (operation === 'DescribeExecution')
      return { status: 200, body: describe(parsed(describeInput, body), state) };
    throw new Refusal('UnknownOperationException', `${operation} does not exist here`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: 400, body: { __type: error.code, message: error.message } };
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, body: string): z.output<Schema> {
  const checked = schema.safeParse(JSON.parse(body));
  if (checked.success) return checked.data;
  const invalidName = checked.error.issues.some(({ path }) => path[0] === 'name');
  throw new Refusal(invalidName ? 'InvalidName' : 'ValidationException', z.prettifyError(checked.error));
}

function start(
  { stateMachineArn, name = randomUUID(), input }: z.output<typeof startInput>,
  state: State,
): object {
  const machine = state.machines.get(stateMachineArn);
  if (!machine) {
    throw new Refusal('StateMachineDoesNotExist', `State Machine Does Not Exist: '${stateMachineArn}'`);
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

// As on AWS: starting again with the same input while it runs is the same start; anything else is refused.
function sameExecution(executionArn: string, input: string, store: ExecutionStore): object {
  const existing = store.get(executionArn);
  if (existing?.status === 'RUNNING' && existing.input === input) {
    return { executionArn, startDate: existing.startedAt / 1000 };
  }
  throw new Refusal('ExecutionAlreadyExists', `Execution Already Exists: '${executionArn}'`);
}

function run(machine: Machine, one: Pick<Execution, 'executionArn' | 'name' | 'input'>, state: State): void {
  const { ended, abort } = machine.interpreter.run(one.input, {
    Execution: { Id: one.executionArn, Name: one.name, RoleArn: 'arn:aws:iam::000000000000:role/local' },
    StateMachine: { Id: machine.arn, Name: machine.name },
  });
  const settled = ended.then((ending) => {
    state.running.delete(one.executionArn);
    if (ending) state.store.finish(one.executionArn, ending, Date.now());
  });
  state.running.set(one.executionArn, { ended: settled, abort });
}

function stop({ executionArn, error, cause }: z.output<typeof stopInput>, { store, running }: State): object {
  const execution = known(store, executionArn);
  const stoppedAt = execution.stoppedAt ?? Date.now();
  const ending = { status: 'ABORTED', ...(error ? { error } : {}), ...(cause ? { cause } : {}) } as const;
  store.finish(executionArn, ending, stoppedAt);
  running.get(executionArn)?.abort();
  return { stopDate: stoppedAt / 1000 };
}

function describe({ executionArn }: z.output<typeof describeInput>, { store }: State): object {
  const { startedAt, stoppedAt, output, error, cause, ...execution } = known(store, executionArn);
  return {
    ...execution,
    startDate: startedAt / 1000,
    ...(stoppedAt === null ? {} : { stopDate: stoppedAt / 1000 }),
    ...(output === null ? {} : { output }),
    ...(error === null ? {} : { error }),
    ...(cause === null ? {} : { cause }),
  };
}

function known(store: ExecutionStore, executionArn: string): Execution {
  const execution = store.get(executionArn);
  if (!execution) throw new Refusal('ExecutionDoesNotExist', `Execution Does Not Exist: '${executionArn}'`);
  return execution;
}

function requireJson(input: string): void {
  try {
    JSON.parse(input);
  } catch {
    throw new Refusal('InvalidExecutionInput', 'The input is not JSON');
  }
}
