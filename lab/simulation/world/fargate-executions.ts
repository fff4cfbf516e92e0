import { isDeepStrictEqual } from 'node:util';
import type { DelegatedJobInput } from '../../../core/jobs/ports.ts';
import type { Outcome } from './invocation-types.ts';
import type { World } from './world.ts';

/** Runs a whole job. `stopped` aborts when ECS stops the task. */
export type FargateTask = (
  input: DelegatedJobInput,
  stopped: AbortSignal,
  onEnd: (outcome: Outcome<unknown>) => void,
) => void;

export type FargateExecutions = {
  /** @throws Error if another execution had this name */
  start(execution: { name: string; input: DelegatedJobInput }): void;
  stop(name: string): void;
  isRunning(name: string): boolean;
};

type Execution = { input: DelegatedJobInput; isRunning: boolean; stopTasks: AbortController };

/** The network interface of a task, and the download of its image. */
const startMs = 20_000;
const retryStartMs = 15_000;

/** A second task of the same execution starts so much later: the first one has the job by then. */
const secondStartMs = 3_000;

const app = 'fargate-task';
const machine = 'fargate-machine';

/**
 * Executions of the state machine of Fargate tasks. A name is good for one execution. A start without capacity is retried; a
 * job may be started twice. An execution that is stopped stops its task by SIGTERM; one that dies leaves its task running.
 */
export function fargateExecutions(world: World, runJob: FargateTask): FargateExecutions {
  const { scheduler, plan, log } = world;
  const executions = new Map<string, Execution>();
  const after = (milliseconds: number, act: () => void) => scheduler.at(scheduler.now() + milliseconds, act);
  const end = (name: string, status: 'succeeded' | 'failed' | 'stopped') => {
    const execution = executions.get(name);
    if (!execution?.isRunning) return;
    execution.isRunning = false;
    log({ kind: 'execution', jobId: execution.input.jobId, name, status });
  };
  const noteFault = (fault: 'killed' | 'duplicate', jobId: string) =>
    log({ kind: 'fault', fault, app: machine, invocation: 0, effect: '', jobId });
  const startTask = (name: string, execution: Execution) => {
    const { input, stopTasks } = execution;
    if (!execution.isRunning) return;
    if (plan.isThrottled(scheduler.now())) {
      after(retryStartMs, () => startTask(name, execution));
      return;
    }
    const run = (onEnd: (outcome: Outcome<unknown>) => void) => {
      log({ kind: 'called', jobId: input.jobId, name, called: app });
      after(startMs, () => runJob(input, stopTasks.signal, onEnd));
    };
    if (plan.repeats('step')) {
      noteFault('duplicate', input.jobId);
      after(secondStartMs, () => run(() => undefined));
    }
    run((outcome) => end(name, outcome !== 'dead' && 'value' in outcome ? 'succeeded' : 'failed'));
  };
  return {
    start({ name, input }) {
      const known = executions.get(name);
      if (known !== undefined && isDeepStrictEqual(known.input, input)) return;
      if (known !== undefined) throw new Error(`An execution ${name} with another input exists`);
      const execution = { input, isRunning: true, stopTasks: new AbortController() };
      executions.set(name, execution);
      log({ kind: 'execution', jobId: input.jobId, name, status: 'started' });
      const killAfterMs = plan.killAfterMs(machine);
      if (killAfterMs !== undefined) {
        after(killAfterMs, () => {
          if (execution.isRunning) noteFault('killed', input.jobId);
          end(name, 'failed');
        });
      }
      after(plan.latencyMs(), () => startTask(name, execution));
    },
    stop(name) {
      executions.get(name)?.stopTasks.abort(new Error('ECS stops the task'));
      end(name, 'stopped');
    },
    isRunning: (name) => executions.get(name)?.isRunning ?? false,
  };
}
