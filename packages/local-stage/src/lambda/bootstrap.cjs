'use strict';
// The runtime of a sandbox: a client of the Lambda Runtime API that runs one function, as the Node.js runtime of AWS
// does. It is CommonJS because stripping types or loading an ES module would add 40 ms to every cold start.
const fs = require('node:fs');
const http = require('node:http');
const { registerHooks } = require('node:module');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const base = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime`;

/** Sends a request to the Runtime API. */
function call(method, target, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(base + target, {
      method,
      agent,
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({
          status: response.statusCode,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.end(body);
  });
}

function describe(thrown, errorType) {
  if (!(thrown instanceof Error))
    return { errorType: errorType ?? typeof thrown, errorMessage: String(thrown), trace: [] };
  return {
    errorType: errorType ?? thrown.name,
    errorMessage: thrown.message,
    trace: (thrown.stack ?? '').split('\n'),
  };
}

function report(thrown, errorType) {
  console.error(JSON.stringify({ level: 'ERROR', ...describe(thrown, errorType) }));
}

async function fail(target, thrown, errorType, exitCode) {
  report(thrown, errorType);
  await call('POST', target, JSON.stringify(describe(thrown, errorType))).catch(() => undefined);
  process.exit(exitCode);
}

// On Lambda there is no package.json above the task root. Here one may exist and change the module type of .js files.
function ignorePackageJsonAbove(taskRoot) {
  if (fs.existsSync(path.join(taskRoot, 'package.json'))) return;
  const inside = pathToFileURL(`${taskRoot}/`).href;
  const isJs = (url) => url.startsWith(inside) && url.endsWith('.js');
  registerHooks({
    load: (url, context, next) => next(url, isJs(url) ? { ...context, format: 'commonjs' } : context),
  });
}

/** Loads the exported function of a handler name such as `index.handler`. */
function loadHandler() {
  ignorePackageJsonAbove(process.env.LAMBDA_TASK_ROOT);
  const [moduleName, exportName] = process.env._HANDLER.split('.');
  const handler = require(path.join(process.env.LAMBDA_TASK_ROOT, moduleName))[exportName];
  if (typeof handler !== 'function') {
    throw Object.assign(new Error(`${process.env._HANDLER} is undefined or not exported`), {
      name: 'Runtime.HandlerNotFound',
    });
  }
  if (handler.length > 2) {
    throw Object.assign(new Error('callback-based handlers ended with Node.js 24'), {
      name: 'Runtime.CallbackHandlerDeprecated',
    });
  }
  return handler;
}

function createContext(headers) {
  const deadlineMs = Number(headers['lambda-runtime-deadline-ms']);
  return {
    awsRequestId: headers['lambda-runtime-aws-request-id'],
    callbackWaitsForEmptyEventLoop: true,
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    logGroupName: process.env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: process.env.AWS_LAMBDA_LOG_STREAM_NAME,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

async function run() {
  let handler;
  try {
    handler = loadHandler();
  } catch (thrown) {
    return fail('/init/error', thrown, undefined, 1);
  }
  for (;;) {
    const { headers, body } = await call('GET', '/invocation/next');
    const invocation = `/invocation/${headers['lambda-runtime-aws-request-id']}`;
    process.env._X_AMZN_TRACE_ID = headers['lambda-runtime-trace-id'] ?? '';
    const crash = (errorType) => (thrown) => fail(`${invocation}/error`, thrown, errorType, 129);
    process.removeAllListeners('uncaughtException').on('uncaughtException', crash());
    process
      .removeAllListeners('unhandledRejection')
      .on('unhandledRejection', crash('Runtime.UnhandledPromiseRejection'));
    try {
      const result = await handler(JSON.parse(body), createContext(headers));
      await call('POST', `${invocation}/response`, JSON.stringify(result) ?? 'null');
    } catch (thrown) {
      report(thrown);
      await call('POST', `${invocation}/error`, JSON.stringify(describe(thrown)));
    }
  }
}

// The stage holds the other end of stdin. When the stage ends, even by a crash, kill this sandbox and its children.
process.stdin.resume();
process.stdin.on('close', () => process.kill(-process.pid, 'SIGKILL'));
process.stdin.unref();

run().catch((thrown) => {
  report(thrown);
  process.exit(1);
});
