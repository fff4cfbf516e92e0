import type { Schemas } from './schemas.ts';
import { isReference, type Problem } from './validate-value.ts';

/** Types of the resources of a template by logical id. */
export type ResourceTypes = ReadonlyMap<string, string>;

/** Validates that every `Ref` and `Fn::GetAtt` in a value names a resource of the template, and an attribute of it. */
export function validateReferences(
  value: unknown,
  path: string,
  context: { types: ResourceTypes; schemas: Schemas },
): Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  const message = isReference(value) ? brokenReference(value, context) : undefined;
  if (message !== undefined) return [{ path, message }];
  return Object.entries(value).flatMap(([key, child]) =>
    validateReferences(child, joined(path, key), context),
  );
}

function joined(path: string, key: string): string {
  if (/^\d+$/.test(key)) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function brokenReference(
  value: Record<string, unknown>,
  { types, schemas }: { types: ResourceTypes; schemas: Schemas },
): string | undefined {
  if ('Ref' in value) {
    const id = String(value.Ref);
    return id.startsWith('AWS::') || types.has(id) ? undefined : `refers to ${id}, which does not exist`;
  }
  if (!('Fn::GetAtt' in value)) return undefined;
  const [id = '', ...names] = [value['Fn::GetAtt']].flat().flatMap((part) => String(part).split('.'));
  const type = types.get(id);
  if (type === undefined) return `refers to ${id}, which does not exist`;
  const attributes = schemas.resource(type)?.attributes;
  const name = names.join('.');
  // The attributes of a custom resource are what its function returns.
  if (attributes === undefined || Object.hasOwn(attributes, name)) return undefined;
  return `refers to the attribute ${name} of ${id}, which ${type} does not have`;
}
