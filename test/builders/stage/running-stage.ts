import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stage } from '@media-jobs/local-stage';
import { afterUse } from '@media-jobs/testing/after-use';
import { inject } from 'vitest';
import { synthesize } from '../../../lib/build/synthesize.ts';
import { firstApiKey } from '../../../lib/local/first-key.ts';
import { type LocalStageOptions, startLocalStage } from '../../../lib/local/start-stage.ts';
import { recordLogLine } from '../../secret-scan/recorder.ts';
import { foreignKeys } from '../storage/foreign-servers.ts';

export type ApiAnswer = { status: number; headers: Headers; body: unknown };

export type Api = (method: string, path: string, body?: unknown) => Promise<ApiAnswer>;

/** The running stage `local`, with a key to call its API. */
export type RunningStage = {
  stage: Stage;
  apiKey: string;
  /** Calls the API with the stage's first key. */
  api: Api;
  /** Calls the API with another key, or a session token. */
  apiAs(credential: string): Api;
  /** What the functions and the stage have logged so far. */
  log: readonly string[];
  /** The directory of all its data, with the disks of its functions. */
  dataDirectory: string;
  /** Stops everything at once, as a crash does, and starts again on the same data. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

/** Starts a stage on an empty directory and a free port, with the S3 server that TEST_SERVICES names. Stopped after its use. */
export async function aRunningStage(options: Partial<LocalStageOptions> = {}): Promise<RunningStage> {
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const dataDirectory = await mkdtemp(join(tmpdir(), 'media-jobs-stage-'));
  const log: string[] = [];
  // lab/screenshots.ts starts stages too, outside of vitest.
  const s3 = process.env.VITEST === undefined ? undefined : inject('s3');
  const otherS3 = s3 && { endpoint: s3.endpoint, credentials: foreignKeys, buckets: 'all' as const };
  const start = () =>
    startLocalStage({
      assemblyDirectory,
      dataDirectory,
      port: 0,
      otherS3,
      ...options,
      log: (source, line) => {
        recordLogLine(line);
        if (options.log) options.log(source, line);
        else log.push(`${source} ${line}`);
      },
    });
  const stage = await start();
  const running: RunningStage = {
    stage,
    apiKey: await firstApiKey(stage, dataDirectory),
    log,
    dataDirectory,
    api: (...request) => running.apiAs(running.apiKey)(...request),
    apiAs: (credential) => (method, path, body) => call(running.stage.baseUrl + path, { credential, method, body }),
    async restart() {
      await recordPermissions(running.stage);
      await running.stage.stop();
      running.stage = await start();
    },
    stop: afterUse(async () => {
      await recordPermissions(running.stage);
      await running.stage.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    }),
  };
  return running;
}

async function call(
  url: string,
  { credential, method, body }: { credential: string; method: string; body: unknown },
): Promise<ApiAnswer> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

/** Writes what the policies of a stage allowed into the folder that `npm run permissions` names, if it runs the test. */
async function recordPermissions({ permissions }: Pick<Stage, 'permissions'>): Promise<void> {
  const directory = process.env.PERMISSIONS_REPORT_DIRECTORY;
  if (directory === undefined) return;
  await writeFile(join(directory, `${randomUUID()}.json`), JSON.stringify(permissions()));
}
