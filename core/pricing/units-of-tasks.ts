import { maxParallelTasks } from '@media-jobs/video/chunking';
import { durations } from '../jobs/durations.ts';
import { noUnits, type Units } from './call-costs.ts';

/** A task writes each of its percents once, at a heartbeat. */
const maxPercents = 100;

/** Bytes of the record of a job, of the percent and the time of each of its tasks, and of the last record of each that runs. */
const jobBytes = 600;
const taskBytes = 15;
const beatBytes = 6;

/** One names an execution, another delegates the job to it. These and the end of the job move its entry in the index `due`. */
const executionWrites = 2;
const executionMoves = 3;

/** Upper bound of the size of a record with so many tasks. */
export function recordBytes(tasks: number): number {
  return jobBytes + taskBytes * tasks + beatBytes * Math.min(tasks, maxParallelTasks);
}

/** Upper bound of the writes of tasks that run `seconds` together: of each its start, its heartbeats and its end. */
export function taskWrites(tasks: number, seconds: number): number {
  const heartbeats = (1000 * seconds) / durations.heartbeatMs;
  const needed = maxPercents * tasks + (1000 * seconds) / durations.taskProgressMs;
  return Math.min(heartbeats, needed) + 2 * tasks;
}

/**
 * DynamoDB units of the executions of a job and of their tasks. Each write and read of a task counts the whole record, which
 * has the progress of all tasks. Progress moves no entry of an index.
 */
export function unitsOfTasks({
  tasks,
  taskSeconds = 0,
  executions,
}: {
  tasks: number;
  taskSeconds?: number;
  executions: number;
}): Units {
  const bytes = recordBytes(tasks);
  const progress = taskSeconds === 0 ? 0 : taskWrites(tasks, taskSeconds) * Math.ceil(bytes / 1024);
  const written = progress + executions * executionWrites;
  return {
    ...noUnits,
    read: ((1000 * taskSeconds) / durations.heartbeatMs) * Math.ceil(bytes / 4096),
    table: written,
    owner: written,
    due: 2 * executions * executionMoves,
  };
}
