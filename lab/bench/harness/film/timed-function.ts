import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { type Usage, usedSeconds } from '../process/processor-time.ts';

/** One invocation of a function: from its event to its answer. */
export type TimedInvocation = Usage;

const mark = 'timed-invocation ';

/** Parses an invocation from a line of a function's output; undefined for any other line. */
export function readInvocation(line: string): TimedInvocation | undefined {
  return line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as TimedInvocation) : undefined;
}

/** Loaded before a function by `preload`: writes the wall and processor seconds of each invocation to standard output. */
const runtime = process.env.AWS_LAMBDA_RUNTIME_API;
if (runtime !== undefined) {
  let begun = { atMs: 0, processor: 0 };
  const ofRuntime = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    return request.getHeader('host') === runtime ? request : undefined;
  };
  subscribe('http.client.response.finish', (message) => {
    if (!ofRuntime(message)?.path.endsWith('/next')) return;
    begun = { atMs: performance.now(), processor: usedSeconds() };
  });
  subscribe('http.client.request.created', (message) => {
    if (!ofRuntime(message)?.path.endsWith('/response')) return;
    const wall = (performance.now() - begun.atMs) / 1000;
    const invocation: TimedInvocation = { wall, processor: usedSeconds() - begun.processor };
    process.stdout.write(`${mark}${JSON.stringify(invocation)}\n`);
  });
}
