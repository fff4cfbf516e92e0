import type * as z from 'zod';
import { machineSchema, mapSchema, type StateDefinition } from './asl.ts';

/** A machine as it runs here: a definition whose tasks are done by handlers, its maps among them. */
export type MachinePlan = {
  /** For the interpreter of the package; each Map in it is written as a task. */
  definition: object;
  /** By the names of their states, those of parallel branches included. */
  tasks: Map<string, StateDefinition>;
  maps: Map<string, MapPlan>;
};

/** A Map that runs inline. */
export type MapPlan = {
  itemsPath: string;
  itemSelector: Record<string, unknown> | undefined;
  /** How many iterations run at once at most. */
  maxConcurrency: number;
  iteration: MachinePlan;
};

/** A definition that would not run here as it does on AWS; the message names the machine and the state. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

/** The fields that AWS takes as whole seconds. The interpreter here would wait fractions too. */
const wholeSeconds = ['Seconds', 'TimeoutSeconds', 'HeartbeatSeconds'] as const;

// The interpreter's own limit for a task without one is 60 s; AWS has none. This is the longest timer there is.
const longestTimerSeconds = 2_147_483;

/** An inline Map runs no more iterations at once, whatever it asks for. */
const mostAtOnce = 40;

type Found = Omit<MachinePlan, 'definition'> & { names: Set<string> };

/**
 * Checks a definition in Amazon States Language against what the interpreter does otherwise than AWS.
 *
 * @throws DefinitionError naming the state and the field
 */
export function parseDefinition(name: string, text: string): MachinePlan {
  const plan = readMachine(`State machine ${name}`, JSON.parse(text), new Set());
  const unfilled = /\$\{[A-Za-z0-9_]+\}/.exec(text);
  if (unfilled) throw new DefinitionError(`State machine ${name}: nothing is substituted for ${unfilled[0]}`);
  return plan;
}

function readMachine(where: string, value: unknown, names: Set<string>): MachinePlan {
  const found: Found = { tasks: new Map(), maps: new Map(), names };
  return { definition: readStates(where, value, found), tasks: found.tasks, maps: found.maps };
}

function readStates(where: string, value: unknown, found: Found): object {
  const machine = parsed(where, machineSchema, value);
  requireWholeSeconds(where, machine);
  const states = Object.entries(machine.States).map(([name, one]) => [
    name,
    readState(where, name, one, found),
  ]);
  return { ...machine, States: Object.fromEntries(states) };
}

function readState(machineName: string, name: string, one: StateDefinition, found: Found): unknown {
  const where = `${machineName}, state ${name}`;
  requireWholeSeconds(where, one);
  one.Retry.forEach((retry, index) => {
    requireWholeSeconds(`${where}, Retry ${index}`, retry, ['IntervalSeconds', 'MaxDelaySeconds']);
  });
  if (found.names.has(name)) throw new DefinitionError(`${where}: the name of a state is used twice`);
  found.names.add(name);
  const { Retry, Catch, Branches, ...rest } = one;
  const written = {
    ...rest,
    ...(Retry.length > 0 ? { Retry } : {}),
    ...(Catch.length > 0 ? { Catch } : {}),
    ...(Branches.length > 0 ? { Branches: Branches.map((branch) => readStates(where, branch, found)) } : {}),
  };
  if (one.Type === 'Map') return readMap(where, name, written, found);
  if (one.Type !== 'Task') return written;
  found.tasks.set(name, one);
  return { ...written, TimeoutSeconds: longestTimerSeconds };
}

// The interpreter's own Map begins further iterations when one has failed, and tries those that it stopped again.
function readMap(where: string, name: string, value: object, { maps, names }: Found): unknown {
  const { ItemsPath, ItemSelector, ItemProcessor, MaxConcurrency, ...rest } = parsed(where, mapSchema, value);
  if (/\$\$\.Execution\.(Input|StartTime)/.test(JSON.stringify(ItemProcessor))) {
    throw new DefinitionError(`${where}: $$.Execution.Input and StartTime are those of the iteration here`);
  }
  maps.set(name, {
    itemsPath: ItemsPath,
    itemSelector: ItemSelector,
    maxConcurrency: Math.min(MaxConcurrency || mostAtOnce, mostAtOnce),
    iteration: readMachine(where, ItemProcessor, names),
  });
  return { ...rest, Type: 'Task', Resource: 'Map', TimeoutSeconds: longestTimerSeconds };
}

function parsed<Schema extends z.ZodType>(where: string, schema: Schema, value: unknown): z.output<Schema> {
  const checked = schema.safeParse(value);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new DefinitionError(`${where}: ${issue?.path.join('.')}: ${issue?.message}`);
}

function requireWholeSeconds(where: string, fields: object, names: readonly string[] = wholeSeconds): void {
  for (const name of names) {
    const seconds: unknown = Reflect.get(fields, name);
    if (seconds === undefined) continue;
    if (Number.isInteger(seconds) && Number(seconds) <= longestTimerSeconds) continue;
    throw new DefinitionError(
      `${where}: ${name} is ${JSON.stringify(seconds)}; AWS takes whole seconds only, at most ${longestTimerSeconds} here`,
    );
  }
}
