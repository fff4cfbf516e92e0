import { arn, functionNameOf } from '../aws-names.ts';
import type { RunTask, Tasks } from '../ecs/tasks.ts';
import type { InvokableFunctions } from '../lambda/functions.ts';
import { findTaskDefinition } from '../template/task-definition-plan.ts';
import type { AccessControl } from './access-control.ts';
import type { AccessRequest, Principal } from './access-request.ts';

/** A call inside the stage that the policies of the template do not allow. */
export class AccessDeniedError extends Error {
  override readonly name = 'AccessDeniedException';
}

/** The principal that invokes a function. `sourceArn`: the resource for which a service invokes it. */
export type Invoker = Principal & { sourceArn?: string };

/** The functions as one principal invokes them: its role or the function must allow `lambda:InvokeFunction`. */
export function functionsInvokedBy(
  invoker: Invoker,
  functions: InvokableFunctions,
  control: AccessControl,
): InvokableFunctions {
  return {
    async invoke(nameOrArn, event, options) {
      const resourceArn = arn('lambda', `function:${functionNameOf(nameOrArn)}`);
      requireAccess(invoker, { action: 'lambda:InvokeFunction', resourceArn }, control);
      return functions.invoke(nameOrArn, event, options);
    },
  };
}

function requireAccess({ sourceArn, ...principal }: Invoker, request: AccessRequest, control: AccessControl): void {
  const context = sourceArn === undefined ? {} : { context: { 'aws:SourceArn': sourceArn } };
  const denial = control.check(principal, [{ ...request, ...context }]);
  if (denial !== undefined) throw new AccessDeniedError(denial.message);
}

export type QueueMessage = {
  QueueUrl: string;
  MessageBody: string;
  MessageGroupId?: string | undefined;
  MessageDeduplicationId?: string | undefined;
};

type Send = (message: QueueMessage) => Promise<void>;

/** Sends messages as a role or a service: it or the policy of the queue must allow `sqs:SendMessage`. */
export function sendAs(sender: Invoker, send: Send, control: AccessControl): Send {
  return async (message) => {
    const resourceArn = arn('sqs', message.QueueUrl.split('/').at(-1) ?? '');
    requireAccess(sender, { action: 'sqs:SendMessage', resourceArn }, control);
    await send(message);
  };
}

/** The stage's tasks as a state machine runs them: its role must allow `ecs:RunTask`, and to pass the roles of the task. */
export function runTasksAs(roleArn: string, tasks: Tasks, control: AccessControl): RunTask {
  return async ({ clusterArn, ...task }, signal) => {
    const definition = findTaskDefinition(tasks.definitions, task.taskDefinition);
    const passed = definition === undefined ? [] : [definition.taskRoleArn, definition.executionRoleArn];
    const denial = control.check({ roleArn }, [
      {
        action: 'ecs:RunTask',
        resourceArn: definition?.arn ?? task.taskDefinition,
        context: { 'ecs:cluster': clusterArn },
      },
      ...passed.map((resourceArn) => ({
        action: 'iam:PassRole',
        resourceArn,
        context: { 'iam:PassedToService': 'ecs-tasks.amazonaws.com' },
      })),
    ]);
    if (denial !== undefined) throw new AccessDeniedError(denial.message);
    return tasks.run(task, signal);
  };
}
