import type { LogEntry } from '../simulation/log.ts';
import * as access from './access-invariants.ts';
import * as parts from './chunk-invariants.ts';
import * as deliveries from './delivery-invariants.ts';
import * as files from './file-invariants.ts';
import { historyOf } from './history.ts';
import type { Invariant } from './invariant.ts';
import * as records from './record-invariants.ts';
import * as recovery from './recovery-invariants.ts';

/** Every promise of the service that a log can prove broken. */
export const invariants: readonly Invariant[] = [
  records.everyJobEnds,
  records.oneTerminalWrite,
  records.terminalStateIsFinal,
  records.legalTransitions,
  records.progressNeverFalls,
  records.attemptsCountUp,
  records.oneWorkerWithoutFaults,
  records.noJobExpiresInQueue,
  records.noDueAtAfterEnd,
  records.oneJobPerKey,
  deliveries.recordedBeforePosted,
  deliveries.jobUpdatedBeforeAttempt,
  deliveries.onePostPerAttempt,
  deliveries.threePostsPerDelivery,
  deliveries.noPostAfterSuccess,
  deliveries.oneEventPerJob,
  deliveries.ownReceiver,
  deliveries.successfulReceiversAreNotified,
  deliveries.deliveryOutcomesMatchAttempts,
  deliveries.noAttemptStaysOpen,
  deliveries.retriesAreNotEarly,
  deliveries.publishedAtMostOnce,
  deliveries.publishedWithoutFaults,
  files.completedFilesExist,
  files.noOrphanedObjects,
  files.noLogsOfDeletedJobs,
  parts.finishedFileIsComplete,
  parts.chunkingMatchesFile,
  parts.noCallsAfterJobEnd,
  parts.recordedBeforeStarted,
  parts.executionsEnd,
  parts.nothingLeftRunning,
  parts.chunkFilesExist,
  parts.workersWriteOnlyOwnAttempt,
  parts.chunksAreEncodedOnce,
  parts.chunkFilesAreRemoved,
  parts.requeuedJobsAreClaimed,
  access.ownersSeeOnlyTheirJobs,
  access.listsMatchRecords,
  recovery.lostWorkersAreReplaced,
  recovery.failedExecutionsAreNoticed,
  recovery.acceptedJobsAreClaimed,
  recovery.cancelledWorkersStop,
  recovery.reconcileTouchesOnlyDueJobs,
];

export type Breach = { invariant: string; breach: string };

/** What a log breaks of them; nothing where all of them hold. */
export function check(entries: readonly LogEntry[]): Breach[] {
  const history = historyOf(entries);
  return invariants.flatMap(({ name, breaches }) =>
    breaches(history).map((breach) => ({ invariant: name, breach })),
  );
}
