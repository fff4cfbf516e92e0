import type * as z from 'zod';
import type { Stack } from './assembly.ts';
import { resolve, type Scope, UnresolvableError } from './intrinsics.ts';
import type { ResourceKind } from './resource-kind.ts';
import { TemplateError, type TemplateLocation } from './template-error.ts';

/**
 * The properties of one resource, resolved and checked.
 *
 * @throws TemplateError for a property that the kind does not know, or a value that it does not take
 */
export function readResource<Schema extends z.ZodType>(
  stack: Stack,
  logicalId: string,
  kind: ResourceKind<Schema>,
  scope: Scope,
): z.output<Schema> {
  const place: TemplateLocation = { stack: stack.name, logicalId, type: kind.type };
  const properties: Record<string, unknown> = {};
  for (const [property, value] of Object.entries(stack.template.Resources[logicalId]?.Properties ?? {})) {
    if (Object.hasOwn(kind.ignored, property)) continue;
    const resolved = resolveIn(place, property, value, scope);
    if (typeof resolved !== 'symbol') properties[property] = resolved;
  }
  const checked = kind.properties.safeParse(properties);
  if (checked.success) return checked.data;
  throw firstIssue(place, checked.error);
}

function resolveIn(place: TemplateLocation, property: string, value: unknown, scope: Scope): unknown {
  try {
    return resolve(value, scope, property);
  } catch (cause) {
    if (!(cause instanceof UnresolvableError)) throw cause;
    throw new TemplateError({ ...place, property: cause.property }, cause.message, { cause });
  }
}

function firstIssue(place: TemplateLocation, error: z.ZodError): TemplateError {
  const [issue] = error.issues;
  if (!issue) return new TemplateError(place, 'its properties are not understood');
  if (issue.code === 'unrecognized_keys') {
    const property = [...issue.path, issue.keys[0]].join('.');
    return new TemplateError({ ...place, property }, 'the local stage does not support this property');
  }
  return new TemplateError({ ...place, property: issue.path.join('.') }, issue.message, { cause: error });
}
