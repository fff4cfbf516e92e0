import { jobTable } from '../../adapters/dynamodb/job-table.ts';
import { withStageTable } from '../../lib/local/stage-table.ts';
import { aProcessingJob } from '../../test/builders/jobs/jobs.ts';
import { type Benchmark, figure, quantile } from './harness/figures/figure.ts';
import { benchStage } from './harness/stage/bench-stage.ts';

const calls = { whole: 400, quick: 100 };
/** A function that has just started is slower; `cold` measures that. */
const warming = 20;
const goalMs = 60;

/** The time that a job waits for the credentials of its own. */
export const credentials: Benchmark = {
  name: 'credentials',
  question:
    'How long does open-job take when it is warm: the record read, the lease checked, a session of the role of one job?',
  baseline: `${goalMs} ms, which is what the credentials of a job under an hour may add to it`,
  run: async (print, { extent }) => {
    await using bench = await benchStage();
    const job = aProcessingJob();
    const { ownerId, jobId, leaseId } = job;
    await withStageTable(bench.stage, (client, name) => jobTable(client, name).write({ job, guard: { absent: true } }));
    const times: number[] = [];
    for (let call = 0; call < warming + calls[extent]; call++) {
      const startedMs = performance.now();
      const result = await bench.stage.invoke('media-jobs-local-open-job', { lease: { ownerId, jobId, leaseId } });
      if (!result.ok) throw new Error(result.error.errorMessage);
      if (call >= warming) times.push(performance.now() - startedMs);
    }
    print(`  median ${quantile(times, 0.5).toFixed(1)} ms, 90th percentile ${quantile(times, 0.9).toFixed(1)} ms`);
    return [
      figure(
        'credentials',
        times.map((ms) => ms / goalMs),
        1,
      ),
    ];
  },
};
