/** Whether a path is another one, or below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}.`);
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The value at a path; undefined if there is none. */
export function readAt(holder: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined),
    holder,
  );
}

/** Sets a value in place. False if the path leads through what has no fields. Fields that are missing on the way are made. */
export function setAt(holder: object, path: readonly string[], value: unknown): boolean {
  const [name = '', ...rest] = path;
  if (name === '__proto__' || (Array.isArray(holder) && !Object.hasOwn(holder, name))) return false;
  if (rest.length === 0) return Reflect.set(holder, name, value);
  if (!Object.hasOwn(holder, name)) Reflect.set(holder, name, {});
  const inner: unknown = Reflect.get(holder, name);
  return isObject(inner) && setAt(inner, rest, value);
}
