import * as z from 'zod';

const retrier = z.looseObject({
  IntervalSeconds: z.unknown().optional(),
  MaxDelaySeconds: z.unknown().optional(),
});

const state = z.looseObject({
  Type: z.enum(['Task', 'Parallel', 'Map', 'Pass', 'Wait', 'Choice', 'Succeed', 'Fail']),
  QueryLanguage: z.literal('JSONPath', 'the interpreter here knows JSONPath only').optional(),
  Resource: z.string().optional(),
  Retry: z.array(retrier).default([]),
  Branches: z.array(z.unknown()).default([]),
  Iterator: z.unknown().optional(),
  ItemProcessor: z.unknown().optional(),
});

const machine = z.looseObject({
  QueryLanguage: z.literal('JSONPath', 'the interpreter here knows JSONPath only').optional(),
  StartAt: z.string(),
  States: z.record(z.string(), state),
  ProcessorConfig: z.object({ Mode: z.literal('INLINE', 'every Map runs inline here') }).optional(),
});

export type State = z.output<typeof state>;

/** A definition that would not run here as it does on AWS; the message names the machine and the state. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError';
}

/** The fields that AWS takes as whole seconds. The interpreter here would wait fractions too. */
const wholeSeconds = ['Seconds', 'TimeoutSeconds', 'HeartbeatSeconds'] as const;

// The interpreter's own limit for a task without one is 60 s; AWS has none. This is the longest timer there is.
const longestTimerSeconds = 2_147_483;

/**
 * Checks a definition in Amazon States Language against what the interpreter does otherwise than AWS.
 *
 * @returns the definition to interpret, and every task in it by name, those of branches and iterations included
 * @throws DefinitionError naming the state and the field
 */
export function readDefinition(
  name: string,
  text: string,
): { definition: unknown; tasks: Map<string, State> } {
  const tasks = new Map<string, State>();
  const definition = readMachine(`State machine ${name}`, JSON.parse(text), tasks);
  const unfilled = /\$\{[A-Za-z0-9_]+\}/.exec(text);
  if (unfilled) throw new DefinitionError(`State machine ${name}: nothing is substituted for ${unfilled[0]}`);
  return { definition, tasks };
}

function readMachine(where: string, value: unknown, tasks: Map<string, State>): unknown {
  const parsed = machine.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new DefinitionError(`${where}: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  requireWholeSeconds(where, parsed.data);
  const states = Object.entries(parsed.data.States).map(([name, one]) => [
    name,
    readState(where, name, one, tasks),
  ]);
  return { ...parsed.data, States: Object.fromEntries(states) };
}

function readState(machineName: string, name: string, one: State, tasks: Map<string, State>): unknown {
  const where = `${machineName}, state ${name}`;
  requireWholeSeconds(where, one);
  one.Retry.forEach((retry, index) => {
    requireWholeSeconds(`${where}, Retry ${index}`, retry, ['IntervalSeconds', 'MaxDelaySeconds']);
  });
  const nested = (value: unknown) => readMachine(where, value, tasks);
  const { Retry, Branches, Iterator, ItemProcessor, ...rest } = one;
  const written = {
    ...rest,
    ...(Retry.length > 0 ? { Retry } : {}),
    ...(Branches.length > 0 ? { Branches: Branches.map(nested) } : {}),
    ...(Iterator === undefined ? {} : { Iterator: nested(Iterator) }),
    ...(ItemProcessor === undefined ? {} : { ItemProcessor: nested(ItemProcessor) }),
  };
  if (one.Type !== 'Task') return written;
  if (tasks.has(name)) throw new DefinitionError(`${where}: the name of a state is used twice`);
  tasks.set(name, one);
  const limited = 'TimeoutSeconds' in one || 'TimeoutSecondsPath' in one;
  return limited ? written : { ...written, TimeoutSeconds: longestTimerSeconds };
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
