import type { LogEntry } from '../world/log.ts';
import * as access from './access-invariants.ts';
import * as chunks from './chunk-invariants.ts';
import * as contentKeys from './content-key-invariants.ts';
import * as costs from './cost-invariants.ts';
import * as deliveries from './delivery-invariants.ts';
import * as events from './event-invariants.ts';
import * as files from './file-invariants.ts';
import * as finished from './finished-file-invariants.ts';
import * as goodput from './goodput-invariants.ts';
import { historyOf } from './history.ts';
import type { Invariant } from './invariant.ts';
import * as queues from './long-job-invariants.ts';
import * as records from './record-invariants.ts';
import * as recovery from './recovery-invariants.ts';
import * as running from './running-invariants.ts';
import * as seconds from './second-run-invariants.ts';
import * as shares from './share-invariants.ts';
import * as slow from './slow-delivery-invariants.ts';
import * as spending from './spending-invariants.ts';
import * as spot from './spot-invariants.ts';
import * as steps from './step-invariants.ts';
import * as usage from './usage-invariants.ts';

/** Every invariant that a log can disprove. */
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
  events.eventsAreListedOnce,
  deliveries.recordedBeforePosted,
  deliveries.attemptsPrecedeReconcile,
  deliveries.onePostPerAttempt,
  deliveries.threePostsPerDelivery,
  deliveries.noPostAfterSuccess,
  deliveries.oneEventPerJob,
  deliveries.ownReceiver,
  deliveries.successfulReceiversAreNotified,
  deliveries.deliveryOutcomesMatchAttempts,
  deliveries.laterAttemptsAreMade,
  deliveries.noAttemptStaysOpen,
  deliveries.retriesAreNotEarly,
  deliveries.retriesPrecedeReconcile,
  deliveries.endpointsGetWhatTheyWant,
  deliveries.publishedAtMostOnce,
  deliveries.publishedWithoutFaults,
  slow.slowDeliveriesAreLimited,
  files.completedFilesExist,
  files.unpublishedFilesExist,
  files.noOrphanedObjects,
  files.noLogsOfDeletedJobs,
  files.providerFilesExist,
  files.nothingLeftAtProvider,
  files.oneAttemptPublishes,
  files.visibleFilesComplete,
  steps.completedStepsStay,
  steps.completedStepsAreNotRepeated,
  steps.completedPipelinesHaveAllOutputs,
  finished.finishedFileIsComplete,
  finished.chunkingMatchesFile,
  chunks.noCallsAfterJobEnd,
  chunks.recordedBeforeStarted,
  chunks.executionsEnd,
  chunks.ownersStayWithinChunkLimit,
  chunks.nothingLeftRunning,
  chunks.chunkFilesExist,
  chunks.workersWriteOnlyOwnAttempt,
  chunks.chunksAreEncodedOnce,
  chunks.chunkFilesAreRemoved,
  chunks.requeuedJobsAreClaimed,
  seconds.chunksHaveOneResult,
  seconds.chunksRunTwice,
  seconds.supersededRunsEnd,
  seconds.supersededFilesAreRemoved,
  seconds.chunksFailOnce,
  seconds.slowFunctionsDelayLittle,
  contentKeys.contentKeysStay,
  contentKeys.contentKeysAreEncrypted,
  access.ownersSeeOnlyTheirJobs,
  access.listsMatchRecords,
  running.limitOfRunningJobsHolds,
  running.runningJobsCount,
  running.endedJobsDoNotCount,
  shares.ownersKeepTheirShare,
  queues.longJobsKeepTheLimit,
  queues.foreseenLongJobsEnterTheLimit,
  queues.shortJobsAreShort,
  queues.roomForLongJobsIsUsed,
  queues.longJobsNeedNoSecondProbe,
  usage.usageMatchesJobs,
  usage.recordsMarkCountedJobs,
  costs.functionsAreCountedOnce,
  costs.jobsStayBelowTheirLimit,
  spending.spendingMatchesJobs,
  spending.reservationsStayWithinCaps,
  spending.encodedUnderReservation,
  spending.jobsStayNearTheirReservation,
  goodput.outagesCostNoJob,
  goodput.outagesCostNoWebhook,
  recovery.lostWorkersAreReplaced,
  recovery.failedExecutionsAreNoticed,
  recovery.otherWorkersAreReplaced,
  recovery.oneOtherWorkerTakesOver,
  recovery.jobsThatTakeLongerGoOn,
  recovery.acceptedJobsAreClaimed,
  recovery.cancelledWorkersStop,
  recovery.reconcileTouchesOnlyDueJobs,
  spot.interruptionsRepeatLittle,
  spot.stoppedTasksGiveBack,
];

export type Breach = { invariant: string; breach: string };

/** The breaches of all invariants in a log. */
export function check(entries: readonly LogEntry[]): Breach[] {
  const history = historyOf(entries);
  return invariants.flatMap(({ name, breaches }) => breaches(history).map((breach) => ({ invariant: name, breach })));
}
