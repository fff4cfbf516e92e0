import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { Session } from 'node:inspector';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Executed, writeExecuted } from './executed.ts';

/**
 * Loaded before a function by `preload`: runs its source in place of its bundle, and writes to standard output what each
 * invocation executed once its answer is sent.
 */
const root = join(import.meta.dirname, '..', '..');
const taskRoot = process.env.LAMBDA_TASK_ROOT ?? '';
const name = (process.env.AWS_LAMBDA_FUNCTION_NAME ?? '').replace(/^media-jobs-local-/, '');

/** The bundle, and what a bundle replaces too. */
const replaced = new Map([
  [join(taskRoot, 'index'), `functions/${name}/handler.ts`],
  ['@aws-sdk/credential-provider-node', 'lib/build/sdk-stubs/credential-provider.ts'],
]);

registerHooks({
  resolve(specifier, context, next) {
    const file = replaced.get(specifier);
    if (file === undefined) return next(specifier, context);
    return { url: pathToFileURL(join(root, file)).href, format: 'module-typescript', shortCircuit: true };
  },
});

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

subscribe('http.client.request.created', (message) => {
  const { request } = message as { request: ClientRequest };
  if (request.getHeader('host') !== process.env.AWS_LAMBDA_RUNTIME_API || !request.path.endsWith('/next')) return;
  session.post('Profiler.takePreciseCoverage', (_, { result }) => {
    const executed: Executed[] = result.flatMap(({ url, functions }) => {
      const path = url.startsWith('file:') ? relative(root, new URL(url).pathname) : '';
      const isSource = /^(functions|core|adapters|packages\/video\/src)\//.test(path.replaceAll(sep, '/'));
      // The one from the first character is the module itself, which runs once; a warm invocation does not report it.
      const called = functions.filter(({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0);
      return isSource && called.length > 0 ? [{ path, functions: called.length }] : [];
    });
    writeExecuted(executed);
  });
});
