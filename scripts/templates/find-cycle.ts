/** The resources of a template by logical id. */
export type Resources = Readonly<
  Record<string, { Properties: unknown; DependsOn: string | readonly string[] }>
>;

/**
 * A dependency cycle: resources each of which depends on the next, by `DependsOn`, `Ref`, `Fn::GetAtt` or `Fn::Sub`.
 * CloudFormation rejects such a template with "Circular dependency between resources"; CDK does not notice it. Undefined if
 * there is none.
 */
export function findCycle(resources: Resources): string[] | undefined {
  const finished = new Set<string>();
  const visit = (id: string, path: readonly string[]): string[] | undefined => {
    const resource = resources[id];
    if (resource === undefined || finished.has(id)) return undefined;
    if (path.includes(id)) return [...path.slice(path.indexOf(id)), id];
    const dependencies = [...[resource.DependsOn].flat(), ...referencesIn(resource.Properties)];
    for (const other of new Set(dependencies)) {
      const cycle = visit(other, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(id);
    return undefined;
  };
  for (const id of Object.keys(resources)) {
    const cycle = visit(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The logical ids that a value refers to. */
function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'Ref') return [String(child)];
    if (key === 'Fn::GetAtt') return [child].flat().slice(0, 1).map(logicalId);
    return [...(key === 'Fn::Sub' ? substituted([child].flat()[0]) : []), ...referencesIn(child)];
  });
}

function substituted(text: unknown): string[] {
  return [...String(text).matchAll(/\$\{([^!}]+)\}/g)].map(([, name]) => logicalId(name));
}

/** The id of `Id` and of `Id.Attribute`. */
function logicalId(name: unknown): string {
  return String(name).split('.')[0] ?? '';
}
