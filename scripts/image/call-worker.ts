import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { invocationSlot } from '../../local/lambda/invocation-slot.ts';
import { killProcessTree } from '../../local/lambda/process-tree.ts';
import { startRuntimeApi } from '../../local/lambda/runtime-api.ts';
import { sandboxEnvironment } from '../../local/lambda/sandbox-environment.ts';
import type { Log } from '../../local/log.ts';
import type { Endpoints } from '../../local/template/resource-kind.ts';
import type { FunctionPlan } from '../../local/template/stage-plan.ts';
import type { Container } from './engine.ts';

export type Answer = {
  /** The function's result as JSON. */
  payload: string;
  /** From the container's start to its first request for an invocation. */
  startMs: number;
  /** From the event to its result. */
  workMs: number;
};

/** The entry point of the image, from its Dockerfile. */
async function readEntryPoint(directory: string): Promise<string[]> {
  const [, list = '[]'] =
    /^ENTRYPOINT (.+)$/m.exec(await readFile(join(directory, 'Dockerfile'), 'utf8')) ?? [];
  return z.array(z.string()).min(1).parse(JSON.parse(list));
}

/**
 * Runs a function once in its container, as Lambda does, with a Runtime API on this machine.
 *
 * @throws Error with the function's error or the container's exit code
 */
export async function callWorker(
  container: Container,
  { plan, event, endpoints, log }: { plan: FunctionPlan; event: string; endpoints: Endpoints; log: Log },
): Promise<Answer> {
  const slot = invocationSlot();
  const api = await startRuntimeApi({
    onReady: slot.markReady,
    onInitError: slot.fail,
    onResult: slot.settle,
  });
  const startedAt = performance.now();
  // The container has its own certificates. Lambda passes the handler of an image as an argument only.
  const {
    NODE_EXTRA_CA_CERTS: _,
    _HANDLER: __,
    LAMBDA_TASK_ROOT: ___,
    ...variables
  } = sandboxEnvironment({
    plan,
    endpoints,
    runtimeApi: api.address,
    temporaryDirectory: '/tmp',
    logStream: 'image',
  });
  const command = [...(await readEntryPoint(plan.code.directory)), plan.code.handler];
  const child = container.start(command, { environment: variables });
  child.once('exit', (code) =>
    slot.fail({ errorType: 'Runtime.ExitError', errorMessage: `The container ended with code ${code}` }),
  );
  for (const output of [child.stdout, child.stderr]) {
    if (output) createInterface({ input: output }).on('line', (line) => log(plan.name, line));
  }
  try {
    await slot.waitUntilReady();
    const readyAt = performance.now();
    const requestId = randomUUID();
    const result = slot.begin(requestId);
    const deadlineMs = Date.now() + plan.timeoutSeconds * 1000;
    api.offer({
      requestId,
      payload: event,
      deadlineMs,
      functionArn: plan.arn,
      traceHeader: `Root=1-${requestId.replaceAll('-', '')};Sampled=0`,
    });
    const answer = await result;
    if (!answer.ok) throw new Error(`${answer.error.errorType}: ${answer.error.errorMessage}`);
    return { payload: answer.payload, startMs: readyAt - startedAt, workMs: performance.now() - readyAt };
  } finally {
    if (child.pid !== undefined) killProcessTree(child.pid);
    await api.close();
  }
}
