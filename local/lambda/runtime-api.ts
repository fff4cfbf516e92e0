import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { close, listen } from '../http-server.ts';

/** What a function's code threw, as the runtime reports it. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

/** How an invocation ended. `payload` is JSON. */
export type InvocationResult = { ok: true; payload: string } | { ok: false; error: FunctionError };

/** What a sandbox is asked to do. `payload` is the event as JSON; `deadline` is in epoch milliseconds. */
export type Invocation = { requestId: string; payload: string; deadline: number; functionArn: string };

export type RuntimeApiEvents = {
  /** The runtime has loaded the function and asks for work. */
  onReady(): void;
  onResult(requestId: string, result: InvocationResult): void;
  onInitError(error: FunctionError): void;
};

/** The Runtime API of one sandbox. */
export type RuntimeApi = {
  /** For `AWS_LAMBDA_RUNTIME_API`: host and port. */
  address: string;
  /** Gives the runtime its next event: at once if it is asking, else when it asks. */
  offer(invocation: Invocation): void;
  close(): Promise<void>;
};

const prefix = '/2018-06-01/runtime';

// The limit of Lambda for the answer to a synchronous invocation, 6 MB with some room for its envelope.
const mostResponseBytes = 6_291_556;

/** Serves the documented Runtime API (version 2018-06-01) to one sandbox. */
export async function startRuntimeApi(events: RuntimeApiEvents): Promise<RuntimeApi> {
  let asking: ServerResponse | undefined;
  let offered: Invocation | undefined;

  function hand(): void {
    if (!asking || !offered) return;
    asking.writeHead(200, {
      'content-type': 'application/json',
      'lambda-runtime-aws-request-id': offered.requestId,
      'lambda-runtime-deadline-ms': String(offered.deadline),
      'lambda-runtime-invoked-function-arn': offered.functionArn,
      'lambda-runtime-trace-id': `Root=1-${offered.requestId.replaceAll('-', '').slice(0, 32)};Sampled=0`,
    });
    asking.end(offered.payload);
    asking = undefined;
    offered = undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (request.method === 'GET' && path === `${prefix}/invocation/next`) {
      asking = response;
      events.onReady();
      return hand();
    }
    const body = await buffer(request);
    if (path === `${prefix}/init/error`) events.onInitError(JSON.parse(body.toString()));
    const [, requestId, outcome] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (requestId) events.onResult(requestId, outcome === 'response' ? answered(body) : failed(body));
    response.writeHead(202, { 'content-type': 'application/json' }).end('{"status":"OK"}');
  }

  // A sandbox may be killed in the middle of its request.
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const port = await listen(server);

  return {
    address: `127.0.0.1:${port}`,
    offer(invocation) {
      offered = invocation;
      hand();
    },
    close: () => close(server),
  };
}

function answered(body: Buffer): InvocationResult {
  if (body.length <= mostResponseBytes) return { ok: true, payload: body.toString() };
  const errorMessage = `Response payload size (${body.length} bytes) exceeded maximum allowed payload size (${mostResponseBytes} bytes).`;
  return { ok: false, error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage } };
}

function failed(body: Buffer): InvocationResult {
  return { ok: false, error: JSON.parse(body.toString()) };
}
