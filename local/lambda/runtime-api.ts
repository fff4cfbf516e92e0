import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, listenOnLoopback, readBody } from '../http-server.ts';

/** What a function's code threw, as the runtime reports it. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

/** How an invocation ended. `payload` is JSON. */
export type InvocationResult = { ok: true; payload: string } | { ok: false; error: FunctionError };

/** What a sandbox is asked to do. `payload` is the event as JSON; `deadline` is in epoch milliseconds. */
export type Invocation = { requestId: string; payload: string; deadlineMs: number; functionArn: string };

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

const taken = {
  headers: { 'content-type': 'application/json', 'content-length': 15 },
  body: '{"status":"OK"}',
};

/** Serves the documented Runtime API (version 2018-06-01) to one sandbox. */
export async function startRuntimeApi(events: RuntimeApiEvents): Promise<RuntimeApi> {
  let asking: ServerResponse | undefined;
  let offered: Invocation | undefined;

  function hand(): void {
    if (!asking || !offered) return;
    asking.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(offered.payload),
      'lambda-runtime-aws-request-id': offered.requestId,
      'lambda-runtime-deadline-ms': String(offered.deadlineMs),
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
    const body = await readBody(request, mostResponseBytes);
    if (path === `${prefix}/init/error`) events.onInitError(errorIn(body));
    const [, requestId, outcome] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (requestId) events.onResult(requestId, outcome === 'response' ? answered(body) : failed(body));
    // After the result is on its way to whoever waits for it.
    setImmediate(() => response.writeHead(202, taken.headers).end(taken.body));
  }

  // A sandbox may be killed in the middle of its request.
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const port = await listenOnLoopback(server);

  return {
    address: `127.0.0.1:${port}`,
    offer(invocation) {
      offered = invocation;
      hand();
    },
    close: () => closeServer(server),
  };
}

function answered(body: Buffer | undefined): InvocationResult {
  return body ? { ok: true, payload: body.toString() } : { ok: false, error: tooLarge };
}

function failed(body: Buffer | undefined): InvocationResult {
  return { ok: false, error: errorIn(body) };
}

function errorIn(body: Buffer | undefined): FunctionError {
  return body ? JSON.parse(body.toString()) : tooLarge;
}

const tooLarge: FunctionError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${mostResponseBytes} bytes).`,
};
