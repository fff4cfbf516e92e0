import { appendFileSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { RecordedResponse } from './secrets.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Holds what the stages log and answer, until the end of the run. */
    recordingDirectory: string;
  }
}

const patched = Symbol.for('responses are recorded');

/** Records a line of a stage's log. */
export function recordLogLine(line: string): void {
  append('lines', line);
}

/** Records every response of a stage's API: the server of each stage runs in this process. */
export function recordResponses(): void {
  const prototype = ServerResponse.prototype as ServerResponse & { [patched]?: true };
  if (prototype[patched]) return;
  prototype[patched] = true;
  const { write, end } = prototype;
  const bodies = new WeakMap<ServerResponse, Buffer[]>();
  const keep = (response: ServerResponse, chunk: unknown) => {
    if (typeof chunk !== 'string' && !Buffer.isBuffer(chunk)) return;
    bodies.set(response, [...(bodies.get(response) ?? []), Buffer.from(chunk as string)]);
  };
  prototype.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(this, args[0]);
    return Reflect.apply(write, this, args);
  } as typeof write;
  prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    keep(this, args[0]);
    const { method = '', url = '' } = this.req;
    if (url.startsWith('/api/')) {
      const body = Buffer.concat(bodies.get(this) ?? []).toString();
      const [path = ''] = url.split('?');
      const answer: RecordedResponse = { method, path, status: this.statusCode, body };
      append('answers', JSON.stringify(answer));
    }
    return Reflect.apply(end, this, args);
  } as typeof end;
}

function append(kind: 'lines' | 'answers', line: string): void {
  // lab/screenshots.ts starts stages too, outside of vitest.
  if (process.env.VITEST === undefined) return;
  const directory = inject('recordingDirectory');
  if (directory !== undefined) appendFileSync(join(directory, `${process.pid}.${kind}`), `${line}\n`);
}
