import { describe, expect, it } from 'vitest';
import type { RunTask } from '../../../src/ecs/tasks.ts';
import { AccessDeniedError } from '../../../src/permissions/guard-invocations.ts';
import { aStateMachine } from '../../builders/a-state-machine.ts';

const arn = (service: string, resource: string) => `arn:aws:${service}:us-east-1:000000000000:${resource}`;
const runTask = {
  Type: 'Task',
  Resource: 'arn:aws:states:::ecs:runTask.sync',
  Parameters: {
    Cluster: arn('ecs', 'cluster/test'),
    TaskDefinition: arn('ecs', 'task-definition/test:1'),
    LaunchType: 'FARGATE',
    NetworkConfiguration: {
      AwsvpcConfiguration: { Subnets: ['subnet-1'], SecurityGroups: ['sg-1'], AssignPublicIp: 'ENABLED' },
    },
    Overrides: {
      ContainerOverrides: [{ Name: 'worker', Environment: [{ Name: 'JOB_ID', 'Value.$': '$.jobId' }] }],
    },
  },
  ResultPath: null,
  End: true,
};

async function execution(run: RunTask, state: object = {}) {
  const definition = { StartAt: 'Run', States: { Run: { ...runTask, ...state } } };
  const machine = await aStateMachine(definition, { runTask: run });
  const { executionArn } = await machine.start({ jobId: 'job-1' });
  return { ...machine, ended: () => machine.ended(executionArn), executionArn };
}

const stopped = (exitCode: number) => ({ exitCode, reason: 'Essential container exited' });

describe('a state that runs a Fargate task', () => {
  it('passes the input to the container, and succeeds when that exits with 0', async () => {
    const runs: unknown[] = [];
    const { ended } = await execution(async (task) => {
      runs.push(task);
      return stopped(0);
    });
    expect(await ended()).toMatchObject({ status: 'SUCCEEDED', output: '{"jobId":"job-1"}' });
    expect(runs).toEqual([
      {
        clusterArn: runTask.Parameters.Cluster,
        taskDefinition: runTask.Parameters.TaskDefinition,
        overrides: [{ containerName: 'worker', environment: { JOB_ID: 'job-1' } }],
      },
    ]);
  });

  it.each([
    ['fails when the container exits otherwise, and is not retried as a start is', false, 'FAILED', 1],
    ['retries a start that was denied', true, 'SUCCEEDED', 2],
  ])('%s', async (_, isDenied, status, count) => {
    let runs = 0;
    const Retry = [{ ErrorEquals: ['ECS.AmazonECSException'], IntervalSeconds: 1, MaxAttempts: 3 }];
    const run = async () => {
      runs += 1;
      if (isDenied && runs === 1) throw new AccessDeniedError('ecs:RunTask is not allowed');
      return stopped(isDenied ? 0 : 137);
    };
    const { ended } = await execution(run, { Retry });
    expect(await ended()).toMatchObject({ status, ...(!isDenied && { error: 'States.TaskFailed' }) });
    expect(runs).toBe(count);
  });

  it('stops the task at its time-out', async () => {
    const untilStopped: RunTask = (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(stopped(143)));
      });
    const { ended } = await execution(untilStopped, { TimeoutSeconds: 1 });
    expect(await ended()).toMatchObject({ error: 'States.Timeout' });
  });
});
