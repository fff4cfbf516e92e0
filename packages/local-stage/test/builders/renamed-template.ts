type Template = { Resources: Record<string, object> };

/** A copy of a template with all logical ids and references renamed. */
export function renamedTemplate<T extends Template>(template: T): T {
  const ids = new Set(Object.keys(template.Resources));
  const renamed = (id: string) => (ids.has(id) ? `Renamed${id}` : id);

  function visit(value: unknown, key?: string): unknown {
    if (Array.isArray(value)) {
      if (key === 'Fn::GetAtt' || key === 'DependsOn') return value.map((item) => renamed(String(item)));
      return value.map((item) => visit(item));
    }
    if (typeof value === 'string') {
      if (key === 'Ref' || key === 'DependsOn') return renamed(value);
      if (key === 'Fn::Sub') return value.replaceAll(/(?<=\$\{)\w+/g, renamed);
      return value;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, visit(item, name)]));
  }

  const copy = visit(template) as T;
  const resources = Object.entries(copy.Resources).map(([id, resource]) => [renamed(id), resource]);
  return { ...copy, Resources: Object.fromEntries(resources) };
}
