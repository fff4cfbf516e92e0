import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { closeServer, readBody, serveOnLoopback } from '../http-server.ts';

/** An error of the function, as the runtime reports it. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

/** `payload` is JSON. */
export type InvocationResult = { ok: true; payload: string } | { ok: false; error: FunctionError };

/** `payload` is the event as JSON; `deadlineMs` is Unix time. */
export type Invocation = {
  requestId: string;
  payload: string;
  deadlineMs: number;
  functionArn: string;
  traceHeader: string;
};

export type RuntimeApiEvents = {
  /** The runtime has loaded the function and requests an invocation. */
  onReady(): void;
  onResult(requestId: string, result: InvocationResult): void;
  onInitError(error: FunctionError): void;
};

export type RuntimeApi = {
  /** Host and port, for `AWS_LAMBDA_RUNTIME_API`. */
  address: string;
  /** Sends the next invocation to the runtime, as soon as it requests one. */
  offer(invocation: Invocation): void;
  close(): Promise<void>;
};

const prefix = '/2018-06-01/runtime';

// Lambda's quota for a synchronous response: 6 MB and 100 bytes.
const maxResponseBytes = 6_291_556;

const accepted = {
  headers: { 'content-type': 'application/json', 'content-length': 15 },
  body: '{"status":"OK"}',
};

/** Serves the documented Runtime API (version 2018-06-01) to one sandbox. */
export async function startRuntimeApi(events: RuntimeApiEvents): Promise<RuntimeApi> {
  let pendingRequest: ServerResponse | undefined;
  let offered: Invocation | undefined;

  function sendOffered(): void {
    if (!pendingRequest || !offered) return;
    pendingRequest.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(offered.payload),
      'lambda-runtime-aws-request-id': offered.requestId,
      'lambda-runtime-deadline-ms': String(offered.deadlineMs),
      'lambda-runtime-invoked-function-arn': offered.functionArn,
      'lambda-runtime-trace-id': offered.traceHeader,
    });
    pendingRequest.end(offered.payload);
    pendingRequest = undefined;
    offered = undefined;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (request.method === 'GET' && path === `${prefix}/invocation/next`) {
      pendingRequest = response;
      events.onReady();
      return sendOffered();
    }
    const body = await readBody(request, maxResponseBytes);
    if (path === `${prefix}/init/error`) events.onInitError(parseError(body));
    const [, requestId, outcome] = /\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    if (requestId)
      events.onResult(requestId, outcome === 'response' ? successResult(body) : { ok: false, error: parseError(body) });
    // Respond after the caller has its result.
    setImmediate(() => response.writeHead(202, accepted.headers).end(accepted.body));
  }

  // Reading fails when a sandbox is killed during its request.
  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  const port = await serveOnLoopback(server, { pages: 'none' });

  return {
    address: `127.0.0.1:${port}`,
    offer(invocation) {
      offered = invocation;
      sendOffered();
    },
    close: () => closeServer(server),
  };
}

function successResult(body: Buffer | undefined): InvocationResult {
  return body ? { ok: true, payload: body.toString() } : { ok: false, error: responseTooLarge };
}

function parseError(body: Buffer | undefined): FunctionError {
  return body ? JSON.parse(body.toString()) : responseTooLarge;
}

const responseTooLarge: FunctionError = {
  errorType: 'Function.ResponseSizeTooLarge',
  errorMessage: `Response payload size exceeded maximum allowed payload size (${maxResponseBytes} bytes).`,
};
