import assert from 'node:assert/strict';
import { assumedProbe, inputLimitsSchema } from '@media-jobs/video/probe';
import type { LineFailure } from '../../../core/batches/batch.ts';
import { idOfLine } from '../../../core/submission/manifest-line.ts';
import { runBatch } from '../../../functions/run-batch/app.ts';
import { listObjects } from '../../../functions/run-batch/list-objects.ts';
import { submitListed } from '../../../functions/run-batch/submit-lines.ts';
import type { SweepDeps } from '../../../functions/watch/sweep.ts';
import { somePricedWorkers } from '../../../test/builders/pricing/priced-workers.ts';
import { memoryBatchTable } from '../memory/batch-table.ts';

/** The function `run-batch` for backfills, on stores in memory. */
export function memoryBackfills() {
  const batches = memoryBatchTable();
  const manifests = new Map<string, Buffer>();
  const failures: LineFailure[] = [];
  return {
    batches,
    failures,
    /** `mortal` makes a port that fails once its invocation is killed, `onKilled` passes the errors of that. */
    stepWith(
      deps: SweepDeps,
      mortal: <Port extends object>(port: Port) => Port,
      onUnexpected: (cause: unknown) => void,
    ) {
      const pricing = { workers: somePricedWorkers(), inputLimits: inputLimitsSchema.parse({}) };
      return runBatch({
        ...{ jobs: deps.jobs, clock: deps.clock, minuteUsd: deps.minuteUsd, onUnexpected },
        batches: mortal(batches),
        accept: async () => assert.fail('A backfill has no manifest'),
        copyManifest: async () => assert.fail('A backfill has no manifest'),
        cancel: async () => undefined,
        listObjects: listObjects({
          ...{ ...deps, ...pricing, slowness: { read: async () => ({}) } },
          readHeader: async ({ sizeBytes }) =>
            assumedProbe({ width: 640, height: 360, durationSeconds: 60, sizeBytes }),
          async storeLines({ batchId }, lines) {
            const texts: string[] = [];
            for await (const line of lines) texts.push(line);
            const manifest = Buffer.from(texts.join(''));
            manifests.set(batchId, manifest);
            return { bytes: manifest.length, lines: texts.length };
          },
        }),
        submitListed: submitListed(deps),
        readManifest: async ({ batchId }, { start, end }) =>
          manifests.get(batchId)?.subarray(start, end) ?? Buffer.of(),
        readLineId: async ({ batchId }, at) => {
          const text = manifests.get(batchId)?.toString('utf8', at, at + 500) ?? '';
          return idOfLine(text.split('\n', 1)[0] ?? '');
        },
        appendReport: async (_, added) => String(failures.push(...added)),
      });
    },
  };
}
