import type * as z from 'zod';
import type { Stack } from './assembly.ts';
import { resolve, type Scope, UnresolvableError } from './intrinsics.ts';
import type { ResourceKind } from './resource-kind.ts';

/** A position in a template. `property` is a path such as `Targets.0.Arn`. */
export type TemplateLocation = { stack: string; logicalId: string; type: string; property?: string };

/** A template that the local stage cannot run. The message names the resource and the property. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';

  constructor(location: TemplateLocation, message: string, options?: { cause?: unknown }) {
    const property = location.property ? `, property ${location.property}` : '';
    super(`${location.stack}: resource ${location.logicalId} of type ${location.type}${property}: ${message}`, options);
  }
}

/** Properties of all kinds that say what a resource is for. */
const descriptions = ['Description', 'Tags'];

/**
 * Resolves and validates the properties of a resource.
 *
 * @throws TemplateError for an unsupported property or value
 */
export function readResource<Schema extends z.ZodType>(
  stack: Stack,
  logicalId: string,
  kind: ResourceKind<Schema>,
  scope: Scope,
): z.output<Schema> {
  const location: TemplateLocation = { stack: stack.name, logicalId, type: kind.type };
  const properties: Record<string, unknown> = {};
  const ignored = [...descriptions, ...Object.keys(kind.ignored ?? {})];
  for (const [property, value] of Object.entries(stack.template.Resources[logicalId]?.Properties ?? {})) {
    if (ignored.includes(property)) continue;
    const resolved = resolveIn(location, property, value, scope);
    if (typeof resolved !== 'symbol') properties[property] = resolved;
  }
  const result = kind.properties.safeParse(properties);
  if (result.success) return result.data;
  throw firstIssue(location, result.error);
}

function resolveIn(location: TemplateLocation, property: string, value: unknown, scope: Scope): unknown {
  try {
    return resolve(value, scope, property);
  } catch (cause) {
    if (!(cause instanceof UnresolvableError)) throw cause;
    throw new TemplateError({ ...location, property: cause.property }, cause.message, { cause });
  }
}

function firstIssue(location: TemplateLocation, error: z.ZodError): TemplateError {
  const [issue] = error.issues;
  if (!issue) return new TemplateError(location, 'its properties are invalid');
  if (issue.code === 'unrecognized_keys') {
    const property = [...issue.path, issue.keys[0]].join('.');
    return new TemplateError({ ...location, property }, 'the local stage does not support this property');
  }
  return new TemplateError({ ...location, property: issue.path.join('.') }, issue.message, { cause: error });
}
