import type * as z from 'zod';
import type { Assembly } from './assembly.ts';
import type { Scope } from './intrinsics.ts';
import { readResource, TemplateError, type TemplateLocation } from './read-resource.ts';
import type { ResourceKind } from './resource-kind.ts';
import { ignoredTypes, resourceKinds } from './resource-kinds.ts';

export type FoundResource<S extends z.ZodType> = {
  logicalId: string;
  /** Where it is in the templates, for errors. */
  location: TemplateLocation;
  properties: z.output<S>;
  ref: string;
  attribute(name: string): string;
};

export type Found = { all<S extends z.ZodType>(kind: ResourceKind<S>): FoundResource<S>[] };

/** Finds the resources of an assembly whose condition holds. @throws TemplateError for an unsupported type */
export function findResources(assembly: Assembly, scopes: ReadonlyMap<string, Scope>): Found {
  const located = assembly.stacks.flatMap((stack) => {
    const scope = scopes.get(stack.name);
    if (!scope) return [];
    return Object.entries(stack.template.Resources)
      .filter(([, { Condition }]) => Condition === undefined || scope.condition(Condition))
      .map(([logicalId, { Type }]) => ({ stack, scope, logicalId, type: Type }));
  });
  for (const { stack, logicalId, type } of located) {
    if (resourceKinds.has(type) || Object.hasOwn(ignoredTypes, type)) continue;
    throw new TemplateError({ stack: stack.name, logicalId, type }, 'the local stage does not support this type');
  }
  return {
    all: (kind) =>
      located
        .filter(({ type }) => type === kind.type)
        .map(({ stack, scope, logicalId }) => ({
          logicalId,
          location: { stack: stack.name, logicalId, type: kind.type },
          properties: readResource(stack, logicalId, kind, scope),
          ref: String(scope.ref(logicalId)),
          attribute: (name) => String(scope.attribute(logicalId, name)),
        })),
  };
}
