import type { Denial } from './access-request.ts';
import { asList, type PermissionsPlan } from './iam/policies.ts';
import { actionPattern } from './iam/wildcards.ts';

/** How often a statement allowed each of its actions. */
export type StatementUse = {
  /** The role, or the ARN of the resource whose policy it is. */
  holder: string;
  id: string;
  resources: readonly string[];
  actions: Record<string, number>;
};

export type UseReport = {
  statements: StatementUse[];
  /** Requests that no policy allowed, each once. */
  denied: { principal: string; action: string; resourceArn: string }[];
};

export type PermissionUse = {
  /** Returns a function that counts one request for an action that these statements allowed. */
  counter(statementIds: readonly string[], action: string): () => void;
  denied(denial: Denial): void;
  report(): UseReport;
};

/** Counts the actions that each statement of a stage allowed. Leaves out statements with `Deny`. */
export function permissionUse({ roles, resourcePolicies }: PermissionsPlan): PermissionUse {
  const holders = [
    ...roles.map(({ name, statements }) => ({ holder: name, statements })),
    ...resourcePolicies.map(({ resourceArn, statements }) => ({ holder: resourceArn, statements })),
  ];
  const uses = new Map<string, StatementUse>();
  for (const { holder, statements } of holders) {
    for (const { id, statement } of statements) {
      if (statement.Effect === 'Deny') continue;
      const actions = Object.fromEntries(asList(statement.Action).map((action) => [action, 0]));
      uses.set(id, { holder, id, resources: asList(statement.Resource), actions });
    }
  }
  const denied = new Map<string, UseReport['denied'][number]>();
  return {
    counter(statementIds, action) {
      const counted = statementIds.flatMap((id) => {
        const actions = uses.get(id)?.actions ?? {};
        const name = Object.keys(actions).find((pattern) => actionPattern(pattern).test(action));
        return name === undefined ? [] : [{ actions, name }];
      });
      return () => {
        for (const { actions, name } of counted) actions[name] = (actions[name] ?? 0) + 1;
      };
    },
    denied({ principal, action, resourceArn }) {
      denied.set(`${principal} ${action} ${resourceArn}`, { principal, action, resourceArn });
    },
    report: () => structuredClone({ statements: [...uses.values()], denied: [...denied.values()] }),
  };
}
