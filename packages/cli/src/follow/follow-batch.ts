import { ApiError, type OperationResult } from '@media-jobs/client';
import type { CommandContext } from '../context/command-context.ts';
import type { ExitName } from '../exit-codes.ts';
import { batchText } from '../show/batch-text.ts';

export type BatchResource = OperationResult<'getBatch'>;

const delayMs = 2_000;
/** Two minutes. */
const maxConsecutiveFailures = 60;

/** Follows a batch until all of its jobs have ended, and shows it then. A batch goes on without this program. */
export async function followBatch(
  { client, signal, sleep, openProgressView, printNote, setFailureHint, programName }: CommandContext,
  batchId: string,
): Promise<BatchResource> {
  printNote(`Batch ${batchId}`);
  setFailureHint({ hint: `The batch goes on. To see it: ${programName} batches show ${batchId}` });
  const view = openProgressView();
  let failures = 0;
  try {
    for (;;) {
      const batch = await client.getBatch({ params: { id: batchId }, signal }).catch((error: unknown) => {
        failures += 1;
        if (!(error instanceof ApiError) || !error.retryable || failures > maxConsecutiveFailures) throw error;
        return undefined;
      });
      if (batch !== undefined) {
        failures = 0;
        view.show(progressOf(batch));
        if (batch.endedAt !== undefined) return batch;
      }
      await sleep(delayMs, signal);
    }
  } finally {
    view.end();
  }
}

function progressOf({ batchId, watch, state, total, completed, failed, endedAt }: BatchResource) {
  const ended = completed + failed;
  return {
    key: batchId,
    label: watch ?? batchId,
    percent: total === 0 ? 0 : (ended / total) * 100,
    activity: state,
    detail: `${ended} of ${total}`,
    isDone: endedAt !== undefined,
  };
}

/** Shows a batch that has ended: without success, if a job of it failed or none could follow. */
export function printBatch({ printResult }: CommandContext, batch: BatchResource): ExitName {
  printResult(batch, batchText(batch));
  return batch.state === 'completed' && batch.failed === 0 ? 'ok' : 'unsuccessful';
}
