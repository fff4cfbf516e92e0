import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { fargateTranscodeDefinition } from '../../../lib/state-machines/fargate-transcode.ts';

const hour = 3_600;
const maxHours = 12;
const definition = fargateTranscodeDefinition({
  subnetIds: ['subnet-0a1b2c3d'],
  publicAddress: true,
  spot: false,
  maxHours,
});
const machine = new StateMachine(structuredClone(definition) as unknown as StateMachineDefinition, {
  validationOptions: { checkArn: false },
});

/** Runs the state machine without delays. RunTask throws these errors, then runs the task. */
async function run(errors: string[]): Promise<{ starts: number; failure: string | undefined }> {
  let starts = 0;
  const startTask = async () => {
    const name = errors[starts];
    starts += 1;
    if (name !== undefined) throw Object.assign(new Error(name), { name });
    return {};
  };
  const { result } = machine.run(
    { ownerId: 'acme', jobId: 'job-1', leaseId: 'lease-1' },
    { overrides: { taskResourceLocalHandlers: { RunTask: startTask }, retryIntervalOverrides: { RunTask: 0 } } },
  );
  const failure = await result.then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { starts, failure };
}

describe('the state machine of a Fargate task', () => {
  it('starts the task again for a day while the account has no capacity', async () => {
    // With full jitter a delay of at most five minutes takes half of that on average.
    const failures = (24 * hour) / 150;
    const { starts, failure } = await run(Array.from({ length: failures }, () => 'AmazonECS.Unknown'));
    expect({ starts, failure }).toEqual({ starts: failures + 1, failure: undefined });
  });

  it('starts the task again while EC2 throttles the look-up of its security group', async () => {
    const { starts, failure } = await run(['ECS.InvalidParameterException', 'ECS.InvalidParameterException']);
    expect({ starts, failure }).toEqual({ starts: 3, failure: undefined });
  });

  it('stops after ten retries if its subnet does not exist, which is the same error', async () => {
    const { starts, failure } = await run(Array.from({ length: 100 }, () => 'ECS.InvalidParameterException'));
    expect(starts).toBe(11);
    expect(failure).toContain('ECS.InvalidParameterException');
  });

  it('leaves a task that starts after a day all of its time', () => {
    const { TimeoutSeconds, States } = definition;
    expect(TimeoutSeconds - States.RunTask.TimeoutSeconds).toBe(24 * hour);
    expect(States.RunTask.TimeoutSeconds).toBeGreaterThan(maxHours * hour);
  });

  it('does not start a task again that has run', async () => {
    const { starts, failure } = await run(['States.TaskFailed']);
    expect(starts).toBe(1);
    expect(failure).toContain('States.TaskFailed');
  });
});
