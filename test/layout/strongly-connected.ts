/** The groups of nodes that reach each other (Tarjan's algorithm), without the nodes that are alone. */
export function stronglyConnected(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (node: string): number => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      const reached = order.has(next) ? (stack.includes(next) ? order.get(next) : undefined) : visit(next);
      lowest.set(node, Math.min(lowest.get(node) ?? 0, reached ?? Number.POSITIVE_INFINITY));
    }
    const low = lowest.get(node) ?? 0;
    if (low === order.get(node)) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1) groups.push(group);
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return groups;
}
