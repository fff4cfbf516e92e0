import { isDeepStrictEqual } from 'node:util';
import {
  type EncodeChunkInput,
  encodeChunkInputSchema,
  type JoinChunksInput,
  joinChunksInputSchema,
} from '../../../core/chunked/run-task-message.ts';
import type { ChunkedExecutionInput } from '../../../core/jobs/chunked-ports.ts';
import { parallelTranscodeDefinition } from '../../../lib/state-machines/parallel-transcode.ts';
import { type ExecutionContext, runMachine, type StateResult } from './run-machine.ts';
import { type TaskWorker, taskQueueOf } from './task-queue.ts';
import type { World } from './world.ts';

/** The functions that process the tasks of the state machine. */
export type ChunkWorkers = {
  encodeChunk: TaskWorker<EncodeChunkInput>;
  joinChunks: TaskWorker<JoinChunksInput>;
};

export type ParallelExecutions = {
  /** @throws Error if another execution had this name */
  start(execution: { name: string; input: ChunkedExecutionInput }): void;
  stop(name: string): void;
  isRunning(name: string): boolean;
};

type Execution = { input: ChunkedExecutionInput; isRunning: boolean };

// Fewer than the tasks of a job, so that some wait for others.
const maxParallelChunks = 2;
const maxConcurrency = { encodeChunk: 3, joinChunks: 2 };
const timeoutSeconds = 24 * 3_600;
const definition = parallelTranscodeDefinition({ maxParallelChunks, timeoutSeconds });

/**
 * Executions of the state machine of chunked jobs, by its definition in lib/. A name is good for one execution, a
 * running function continues when its execution is stopped, and an execution may die.
 */
export function parallelExecutions(world: World, workers: ChunkWorkers): ParallelExecutions {
  const { scheduler, plan, log } = world;
  const executions = new Map<string, Execution>();
  const queues = {
    encodeChunk: taskQueueOf<EncodeChunkInput>(world, {
      name: 'encode-chunk',
      maxConcurrency: maxConcurrency.encodeChunk,
      worker: workers.encodeChunk,
    }),
    joinChunks: taskQueueOf<JoinChunksInput>(world, {
      name: 'join-chunks',
      maxConcurrency: maxConcurrency.joinChunks,
      worker: workers.joinChunks,
    }),
  };
  const end = (name: string, status: 'succeeded' | 'failed' | 'stopped') => {
    const execution = executions.get(name);
    if (!execution?.isRunning) return;
    execution.isRunning = false;
    log({ kind: 'execution', jobId: execution.input.jobId, name, status });
  };
  const run = (name: string, execution: Execution) => {
    const { jobId } = execution.input;
    const after = (milliseconds: number, act: () => void) => scheduler.at(scheduler.now() + milliseconds, act);
    const noteFault = (fault: 'killed' | 'duplicate', effect: string) =>
      log({ kind: 'fault', fault, app: 'parallel-machine', invocation: 0, effect, jobId });
    const course: ExecutionContext = {
      after,
      isOver: () => !execution.isRunning,
      sendTask: ({ queue, group, task }, onEnd) => {
        log({ kind: 'called', jobId, name, called: queue });
        const send = (onAnswer: (ending: StateResult) => void) => {
          if (queue === '${EncodeChunkQueue}')
            queues.encodeChunk.send({ task: encodeChunkInputSchema.parse(task), group, onAnswer });
          else queues.joinChunks.send({ task: joinChunksInputSchema.parse(task), group, onAnswer });
        };
        if (plan.repeats('step')) {
          noteFault('duplicate', queue);
          after(3, () => send(() => undefined));
        }
        send(onEnd);
      },
    };
    const killAfterMs = plan.killAfterMs('parallel-machine');
    if (killAfterMs !== undefined) {
      after(killAfterMs, () => {
        if (execution.isRunning) noteFault('killed', '');
        end(name, 'failed');
      });
    }
    const onEnd = ({ error }: StateResult) => end(name, error === undefined ? 'succeeded' : 'failed');
    after(plan.latencyMs(), () => runMachine(definition, course, { data: execution.input, onEnd }));
  };
  return {
    start({ name, input }) {
      const known = executions.get(name);
      if (known !== undefined && isDeepStrictEqual(known.input, input)) return;
      if (known !== undefined) throw new Error(`An execution ${name} with another input exists`);
      const execution = { input, isRunning: true };
      executions.set(name, execution);
      log({ kind: 'execution', jobId: input.jobId, name, status: 'started' });
      run(name, execution);
    },
    stop: (name) => end(name, 'stopped'),
    isRunning: (name) => executions.get(name)?.isRunning ?? false,
  };
}
