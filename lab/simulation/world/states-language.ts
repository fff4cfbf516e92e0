/** The subset of Amazon States Language (JSONPath) that lib/state-machines/parallel-transcode.ts uses. */
export type Machine = { StartAt: string; States: Readonly<Record<string, State>> };

export type State = {
  Type: string;
  Next?: string;
  End?: boolean;
  /** For a task: the queue, and the message. */
  Parameters?: { QueueUrl: string; 'MessageGroupId.$': string; MessageBody: object };
  Retry?: readonly Retrier[];
  Catch?: readonly (NamesErrors & { Next: string })[];
  ItemsPath?: string;
  ItemSelector?: object;
  MaxConcurrency?: number;
  ItemProcessor?: Machine;
};

type NamesErrors = { ErrorEquals: readonly string[] };

export type Retrier = NamesErrors & {
  MaxAttempts?: number;
  IntervalSeconds?: number;
  BackoffRate?: number;
  MaxDelaySeconds?: number;
};

/** The scope of paths: the input of the state (`$`), and the item of its Map. */
export type Scope = { data: unknown; item?: unknown };

/** Resolves the paths of a template: fields whose name ends in `.$`. */
export function resolveTemplate(template: object, scope: Scope): Record<string, unknown> {
  const fields = Object.entries(template).map(([name, value]) => {
    if (name.endsWith('.$')) return [name.slice(0, -2), resolvePath(String(value), scope)];
    return [name, typeof value === 'object' && value !== null ? resolveTemplate(value, scope) : value];
  });
  return Object.fromEntries(fields);
}

/** The value at a path. @throws Error if there is none, as an execution would */
export function resolvePath(path: string, { data, item }: Scope): unknown {
  // The queue gives each message a token of its own.
  if (path === '$$.Task.Token') return 'token';
  const isOfItem = path.startsWith('$$.Map.Item.Value');
  const [root, ...names] = path.replace('$$.Map.Item.Value', '$').split('.');
  const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], isOfItem ? item : data);
  if (root !== '$' || found === undefined) throw new Error(`${path} selects no value`);
  return found;
}

/** The first entry that matches an error. */
export function firstMatchingError<Each extends NamesErrors>(
  error: string,
  each: readonly Each[] = [],
): Each | undefined {
  return each.find(({ ErrorEquals: names }) => names.includes(error) || names.includes('States.ALL'));
}

/** Milliseconds before the next try, in whole seconds. */
export function retryAfterMs(
  { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = Number.POSITIVE_INFINITY }: Retrier,
  tries: number,
): number {
  return Math.round(Math.min(IntervalSeconds * BackoffRate ** tries, MaxDelaySeconds)) * 1_000;
}
