import * as z from 'zod';
import { withTokenMarker } from './send-and-wait.ts';

/** A state machine for the interpreter package. Handlers execute its tasks and its Map states. */
export type MachinePlan = {
  /** Every Map state is replaced by a task. */
  definition: object;
  /** Task states by name, including those in parallel branches. */
  tasks: Map<string, StateDefinition>;
  maps: Map<string, MapPlan>;
};

/** An inline Map state. */
export type MapPlan = {
  itemsPath: string;
  itemSelector: Record<string, unknown> | undefined;
  maxConcurrency: number;
  iteration: MachinePlan;
};

/** A definition that would behave differently here than on AWS. The message names the machine and the state. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

const jsonPathOnly = z.literal('JSONPath', 'the interpreter here knows JSONPath only').optional();

/** Common fields of `Retry` and `Catch`. */
const errorRule = z.looseObject({
  ErrorEquals: z.array(z.string().refine((name) => name !== 'States.TaskFailed', 'here it would match time-outs too')),
  IntervalSeconds: z.unknown().optional(),
  MaxDelaySeconds: z.unknown().optional(),
});

/** The states and fields that the interpreter package executes as AWS does. */
const stateSchema = z.looseObject({
  Type: z.enum(['Task', 'Parallel', 'Map', 'Pass', 'Wait', 'Choice', 'Succeed', 'Fail']),
  QueryLanguage: jsonPathOnly,
  Resource: z.string().optional(),
  TimeoutSecondsPath: z.undefined('use TimeoutSeconds here').optional(),
  Retry: z.array(errorRule).default([]),
  Catch: z.array(errorRule).default([]),
  Branches: z.array(z.unknown()).default([]),
});

export type StateDefinition = z.output<typeof stateSchema>;

const machineSchema = z.looseObject({
  QueryLanguage: jsonPathOnly,
  StartAt: z.string(),
  States: z.record(z.string(), stateSchema),
  ProcessorConfig: z.strictObject({ Mode: z.literal('INLINE', 'every Map runs inline here') }).optional(),
});

/** An inline Map state. Fields of the distributed mode, and deprecated names, are rejected. */
const mapSchema = z.strictObject({
  Type: z.literal('Map'),
  Comment: z.unknown().optional(),
  QueryLanguage: jsonPathOnly,
  InputPath: z.unknown().optional(),
  ItemsPath: z.string().default('$'),
  ItemSelector: z.record(z.string(), z.unknown()).optional(),
  ItemProcessor: z.unknown(),
  MaxConcurrency: z.int().min(0).default(0),
  ResultSelector: z.unknown().optional(),
  ResultPath: z.unknown().optional(),
  OutputPath: z.unknown().optional(),
  Retry: z.unknown().optional(),
  Catch: z.unknown().optional(),
  Branches: z.unknown().optional(),
  Next: z.unknown().optional(),
  End: z.unknown().optional(),
});

/** Fields that AWS accepts in whole seconds only. The interpreter package would accept fractions. */
const wholeSecondFields = ['Seconds', 'TimeoutSeconds', 'HeartbeatSeconds'] as const;

// The longest Node.js timer. The interpreter package limits a task without TimeoutSeconds to 60 s; AWS does not.
const maxTimerSeconds = 2_147_483;

/** AWS limits an inline Map to 40 concurrent iterations. */
const maxMapConcurrency = 40;

type Found = Omit<MachinePlan, 'definition'> & { names: Set<string> };

/**
 * Parses a definition in Amazon States Language, and rejects what the interpreter package does differently than AWS.
 *
 * @throws DefinitionError naming the state and the field
 */
export function parseDefinition(name: string, text: string): MachinePlan {
  const plan = readMachine(`State machine ${name}`, JSON.parse(text), new Set());
  const placeholder = /\$\{[A-Za-z0-9_]+\}/.exec(text);
  if (placeholder) throw new DefinitionError(`State machine ${name}: no substitution for ${placeholder[0]}`);
  return plan;
}

function readMachine(where: string, value: unknown, names: Set<string>): MachinePlan {
  const found: Found = { tasks: new Map(), maps: new Map(), names };
  return { definition: readStates(where, value, found), tasks: found.tasks, maps: found.maps };
}

function readStates(where: string, value: unknown, found: Found): object {
  const machine = parse(where, machineSchema, value);
  requireWholeSeconds(where, machine);
  const states = Object.entries(machine.States).map(([name, state]) => [name, readState(where, name, state, found)]);
  return { ...machine, States: Object.fromEntries(states) };
}

function readState(machineName: string, name: string, state: StateDefinition, found: Found): unknown {
  const where = `${machineName}, state ${name}`;
  requireWholeSeconds(where, state);
  state.Retry.forEach((retry, index) => {
    requireWholeSeconds(`${where}, Retry ${index}`, retry, ['IntervalSeconds', 'MaxDelaySeconds']);
  });
  if (found.names.has(name)) throw new DefinitionError(`${where}: another state has the same name`);
  found.names.add(name);
  const { Retry, Catch, Branches, ...rest } = state;
  const result = {
    ...rest,
    ...(Retry.length > 0 ? { Retry } : {}),
    ...(Catch.length > 0 ? { Catch } : {}),
    ...(Branches.length > 0 ? { Branches: Branches.map((branch) => readStates(where, branch, found)) } : {}),
  };
  if (state.Type === 'Map') return readMap(where, name, result, found);
  if (state.Type !== 'Task') return result;
  found.tasks.set(name, state);
  const parameters = 'Parameters' in result ? { Parameters: withTokenMarker(result.Parameters) } : {};
  return { ...result, ...parameters, TimeoutSeconds: maxTimerSeconds };
}

// The Map of the interpreter package starts further iterations after one has failed, and retries aborted ones.
function readMap(where: string, name: string, value: object, { maps, names }: Found): unknown {
  const { ItemsPath, ItemSelector, ItemProcessor, MaxConcurrency, ...rest } = parse(where, mapSchema, value);
  if (/\$\$\.Execution\.(Input|StartTime)/.test(JSON.stringify(ItemProcessor))) {
    throw new DefinitionError(`${where}: $$.Execution.Input and StartTime are those of the iteration here`);
  }
  maps.set(name, {
    itemsPath: ItemsPath,
    itemSelector: ItemSelector,
    maxConcurrency: Math.min(MaxConcurrency || maxMapConcurrency, maxMapConcurrency),
    iteration: readMachine(where, ItemProcessor, names),
  });
  return { ...rest, Type: 'Task', Resource: 'Map', TimeoutSeconds: maxTimerSeconds };
}

function parse<Schema extends z.ZodType>(where: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new DefinitionError(`${where}: ${issue?.path.join('.')}: ${issue?.message}`);
}

function requireWholeSeconds(where: string, fields: object, names: readonly string[] = wholeSecondFields): void {
  for (const name of names) {
    const seconds: unknown = Reflect.get(fields, name);
    if (seconds === undefined) continue;
    if (Number.isInteger(seconds) && Number(seconds) <= maxTimerSeconds) continue;
    throw new DefinitionError(
      `${where}: ${name} is ${JSON.stringify(seconds)}; expected whole seconds, at most ${maxTimerSeconds}`,
    );
  }
}
