/** Resolves the references of one stack. Each function throws for an unknown name. */
export type Scope = {
  ref(name: string): unknown;
  attribute(logicalId: string, attribute: string): unknown;
  importValue(name: string): unknown;
  condition(name: string): boolean;
};

/** A value that cannot be resolved. `property` is its path. */
export class UnresolvableError extends Error {
  override readonly name = 'UnresolvableError';
  readonly property: string;

  constructor(property: string, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.property = property;
  }
}

/** The value of `{ Ref: 'AWS::NoValue' }`, which removes the property. */
export const noValue: unique symbol = Symbol('AWS::NoValue');

const intrinsics: Record<string, (argument: unknown, scope: Scope, path: string) => unknown> = {
  Ref: (argument, scope, path) => scope.ref(text(argument, path)),
  'Fn::GetAtt': (argument, scope, path) => {
    const [logicalId, ...attribute] = typeof argument === 'string' ? argument.split('.') : list(argument, path);
    return scope.attribute(text(logicalId, path), attribute.map((part) => text(part, path)).join('.'));
  },
  'Fn::Join': (argument, scope, path) => {
    const [separator, parts] = list(argument, path);
    const values = list(resolve(parts, scope, path), path);
    return values.map((part) => text(part, path)).join(text(separator, path));
  },
  'Fn::Sub': (argument, scope, path) => {
    const [template, variables] = typeof argument === 'string' ? [argument, {}] : list(argument, path);
    return substitute(text(template, path), record(resolve(variables ?? {}, scope, path), path), scope, path);
  },
  'Fn::Select': (argument, scope, path) => {
    const [index, values] = list(argument, path);
    const chosen = list(resolve(values, scope, path), path)[Number(resolve(index, scope, path))];
    if (chosen === undefined) throw new UnresolvableError(path, `Fn::Select has no element ${String(index)}`);
    return chosen;
  },
  'Fn::Split': (argument, scope, path) => {
    const [separator, value] = list(argument, path);
    return text(resolve(value, scope, path), path).split(text(separator, path));
  },
  'Fn::ImportValue': (argument, scope, path) => scope.importValue(text(resolve(argument, scope, path), path)),
  'Fn::If': (argument, scope, path) => {
    const [condition, whenTrue, whenFalse] = list(argument, path);
    return resolve(scope.condition(text(condition, path)) ? whenTrue : whenFalse, scope, path);
  },
  'Fn::Equals': (argument, scope, path) => {
    const [left, right] = list(resolve(argument, scope, path), path);
    return JSON.stringify(left) === JSON.stringify(right);
  },
  'Fn::And': (argument, scope, path) => list(resolve(argument, scope, path), path).every(Boolean),
  'Fn::Or': (argument, scope, path) => list(resolve(argument, scope, path), path).some(Boolean),
  'Fn::Not': (argument, scope, path) => !list(resolve(argument, scope, path), path)[0],
  Condition: (argument, scope, path) => scope.condition(text(argument, path)),
};

/**
 * Replaces every intrinsic function in a value by its result.
 *
 * @param path of the value, for error messages
 * @throws UnresolvableError for an unknown function or reference
 */
export function resolve(value: unknown, scope: Scope, path: string): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => resolve(item, scope, `${path}.${index}`)).filter((item) => item !== noValue);
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [only, ...others] = entries;
  if (only && others.length === 0 && isIntrinsic(only)) return call(only[0], only[1], scope, path);
  const resolved = entries.map(([key, item]) => [key, resolve(item, scope, `${path}.${key}`)] as const);
  return Object.fromEntries(resolved.filter(([, item]) => item !== noValue));
}

// `Condition` is also a key of policy statements. Only with a string is it the intrinsic function.
function isIntrinsic([key, argument]: [string, unknown]): boolean {
  if (key === 'Condition') return typeof argument === 'string';
  return key === 'Ref' || key.startsWith('Fn::');
}

function call(name: string, argument: unknown, scope: Scope, path: string): unknown {
  const intrinsic = intrinsics[name];
  if (!intrinsic) throw new UnresolvableError(path, `the intrinsic function ${name} is not supported`);
  try {
    return intrinsic(argument, scope, path);
  } catch (cause) {
    if (cause instanceof UnresolvableError) throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new UnresolvableError(path, message, { cause });
  }
}

function substitute(template: string, variables: Record<string, unknown>, scope: Scope, path: string): string {
  return template.replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (Object.hasOwn(variables, name)) return text(variables[name], path);
    const [logicalId = '', ...attribute] = name.split('.');
    return text(attribute.length > 0 ? scope.attribute(logicalId, attribute.join('.')) : scope.ref(name), path);
  });
}

function text(value: unknown, path: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new UnresolvableError(path, `expected a string, found ${JSON.stringify(value)}`);
}

function list(value: unknown, path: string): unknown[] {
  if (Array.isArray(value)) return value;
  throw new UnresolvableError(path, `expected a list, found ${JSON.stringify(value)}`);
}

function record(value: unknown, path: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new UnresolvableError(path, `expected an object, found ${JSON.stringify(value)}`);
}
