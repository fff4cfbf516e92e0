/** As much of Amazon States Language (JSONPath) as lib/state-machines/parallel-transcode.ts is written in. */
export type Machine = { StartAt: string; States: Readonly<Record<string, State>> };

export type State = {
  Type: string;
  Next?: string;
  End?: boolean;
  /** Of a task: which function is called with what. */
  Parameters?: { FunctionName: string; Payload?: object; 'Payload.$'?: string };
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

/** What paths lead into: the input of the state (`$`), and the item of the Map that it is in. */
export type Scope = { data: unknown; item?: unknown };

/** A template with its paths followed: fields whose name ends in `.$` hold one. */
export function resolveTemplate(template: object, scope: Scope): Record<string, unknown> {
  const fields = Object.entries(template).map(([name, value]) => {
    if (name.endsWith('.$')) return [name.slice(0, -2), resolvePath(String(value), scope)];
    return [name, typeof value === 'object' && value !== null ? resolveTemplate(value, scope) : value];
  });
  return Object.fromEntries(fields);
}

/** What a path leads to. Throws where that is nothing, as an execution would. */
export function resolvePath(path: string, { data, item }: Scope): unknown {
  if (path === '$$.Map.Item.Value') return item;
  const [root, ...names] = path.split('.');
  const found = names.reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], data);
  if (root !== '$' || found === undefined) throw new Error(`${path} leads nowhere`);
  return found;
}

/** The first of these that is meant for an error. */
export function firstMatchingError<Each extends NamesErrors>(
  error: string,
  each: readonly Each[] = [],
): Each | undefined {
  return each.find(({ ErrorEquals: names }) => names.includes(error) || names.includes('States.ALL'));
}

/** Milliseconds before the next try after so many: whole seconds. */
export function retryAfterMs(
  { IntervalSeconds = 1, BackoffRate = 2, MaxDelaySeconds = Number.POSITIVE_INFINITY }: Retrier,
  tries: number,
): number {
  return Math.round(Math.min(IntervalSeconds * BackoffRate ** tries, MaxDelaySeconds)) * 1_000;
}
