import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { newApiKey } from '@media-jobs/core/api';
import type { ProcessContext } from '../../src/context/command-context.ts';
import { run } from '../../src/run.ts';
import type { OutputStream } from '../../src/show/progress-view.ts';

export type CliRun = { exitCode: number; out: string; err: string };

type Overrides = Partial<ProcessContext> & { baseUrl?: string };

/** A well-formed key of no owner. */
export const anApiKey = newApiKey(randomBytes);

/** Runs one command line of the CLI in this process, with an API key, no terminal and no waiting between polls. */
export async function runCli(args: readonly string[], overrides: Overrides = {}): Promise<CliRun> {
  const [out, err] = [anOutput(), anOutput()];
  const { baseUrl = 'http://127.0.0.1:1', ...others } = overrides;
  const exitCode = await run(args, {
    environment: { MEDIA_JOBS_URL: baseUrl, MEDIA_JOBS_KEY: anApiKey },
    workingDirectory: process.cwd(),
    out,
    err,
    signal: new AbortController().signal,
    sleep: async (_, signal) => signal.throwIfAborted(),
    now: Date.now,
    newId: () => 'id-1',
    readStandardInput: async () => '',
    ...others,
  });
  return { exitCode, out: out.text(), err: err.text() };
}

/** Collects what is written to it. */
export function anOutput({ isTTY = false, rows = 24 } = {}): OutputStream & { text(): string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      chunks.push(String(chunk));
      done();
    },
  });
  return Object.assign(stream, { isTTY, rows, columns: 100, text: () => chunks.join('') });
}
