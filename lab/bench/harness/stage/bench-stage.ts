import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '@media-jobs/client';
import type { Stage } from '@media-jobs/local-stage';
import { synthesize } from '../../../../lib/build/synthesize.ts';
import { firstApiKey } from '../../../../lib/local/first-key.ts';
import { type LocalStageOptions, startLocalStage } from '../../../../lib/local/start-stage.ts';

/** A stage in this process, a client with a key, and the directory of its data. */
export type BenchStage = {
  stage: Stage;
  client: Client;
  directory: string;
  [Symbol.asyncDispose](): Promise<void>;
};

/** Starts a stage on an empty directory, which is removed with it. By default its log is discarded. */
export async function benchStage(
  options: Partial<Pick<LocalStageOptions, 'preload' | 'log' | 'environment'>> = {},
): Promise<BenchStage> {
  await using started = new AsyncDisposableStack();
  const { assemblyDirectory } = await synthesize({ stage: 'local' });
  const directory = await mkdtemp(join(tmpdir(), 'bench-'));
  started.defer(() => rm(directory, { recursive: true, force: true }));
  const stage = await startLocalStage({
    assemblyDirectory,
    dataDirectory: directory,
    port: 0,
    log: () => undefined,
    ...options,
  });
  started.defer(stage.stop);
  const client = createClient({ baseUrl: stage.baseUrl, apiKey: await firstApiKey(stage, directory) });
  const all = started.move();
  return { stage, client, directory, [Symbol.asyncDispose]: () => all.disposeAsync() };
}
