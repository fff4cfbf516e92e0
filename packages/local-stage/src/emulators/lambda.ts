import { text } from 'node:stream/consumers';
import type { InvokableFunctions } from '../lambda/functions.ts';
import { InvocationError } from '../lambda/invocation-error.ts';
import { type PermissionGuard, permissionGuard } from '../permissions/guard.ts';
import { invokedFunction } from '../permissions/lambda-requests.ts';
import type { Emulator } from './emulator.ts';
import { startEndpoint } from './start-endpoint.ts';
import type { Traffic } from './traffic.ts';

/** The Lambda endpoint, by which functions invoke functions. */
export type Lambda = Emulator & { serve(functions: InvokableFunctions): void };

const contentType = 'application/json';

/** Starts an endpoint for synchronous invocations (Lambda API Reference, Invoke). */
export async function startLambda(traffic: Traffic, guard: PermissionGuard = permissionGuard()): Promise<Lambda> {
  let functions: InvokableFunctions | undefined;
  const emulator = await startEndpoint({ service: 'lambda', traffic, guard }, async (request) => {
    const name = invokedFunction(request.url ?? '/');
    const event: unknown = JSON.parse((await text(request)) || '{}');
    if (name === undefined || functions === undefined) {
      return refusal(404, 'ResourceNotFoundException', 'Only Invoke is supported here');
    }
    try {
      const { 'x-amzn-trace-id': header } = request.headers;
      const result = await functions.invoke(name, event, { traceHeader: header?.toString() });
      if (result.ok) return { status: 200, contentType, body: result.payload };
      const headers = { 'x-amz-function-error': 'Unhandled' };
      return { status: 200, contentType, body: JSON.stringify(result.error), headers };
    } catch (error) {
      if (!(error instanceof InvocationError)) throw error;
      return refusal(error.name === 'TooManyRequestsException' ? 429 : 400, error.name, error.message);
    }
  });
  return {
    ...emulator,
    serve(served) {
      functions = served;
    },
  };
}

function refusal(status: number, type: string, message: string) {
  return { status, contentType, body: JSON.stringify({ message }), headers: { 'x-amzn-errortype': type } };
}
