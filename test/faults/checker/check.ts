import type { LogEntry } from '../simulation/log.ts';
import * as access from './access-invariants.ts';
import * as deliveries from './delivery-invariants.ts';
import * as files from './file-invariants.ts';
import { historyOf } from './history.ts';
import type { Invariant } from './invariant.ts';
import * as parts from './part-invariants.ts';
import * as records from './record-invariants.ts';
import * as recovery from './recovery.ts';

/** Every promise of the service that a log can prove broken. */
export const invariants: readonly Invariant[] = [
  records.everyJobEnds,
  records.oneTerminalWrite,
  records.endsStay,
  records.legalTransitions,
  records.progressNeverFalls,
  records.attemptsCountUp,
  records.oneWorkerWhereNothingFails,
  records.nobodyWaitsADay,
  records.nothingIsLeftDue,
  records.oneJobPerKey,
  deliveries.writtenBeforePosted,
  deliveries.notedBeforeOpened,
  deliveries.onePostPerAttempt,
  deliveries.threePostsPerDelivery,
  deliveries.noneAfterSuccess,
  deliveries.oneEventPerJob,
  deliveries.ownReceiver,
  deliveries.willingReceiversAreTold,
  deliveries.deliveryOutcomesAreTrue,
  deliveries.noAttemptStaysOpen,
  deliveries.neverEarly,
  deliveries.publishedAtMostOnce,
  deliveries.publishedWhereNothingFails,
  files.completedFilesExist,
  files.noOrphans,
  files.noLogsOfTheDeleted,
  parts.rightFile,
  parts.chunkingIsTrue,
  parts.nothingBeginsInVain,
  parts.namedBeforeStarted,
  parts.executionsEnd,
  parts.nothingRunsOn,
  parts.nothingIsMissing,
  parts.onlyTheirOwn,
  parts.finishedOnce,
  parts.workIsRemoved,
  parts.takenUpAgain,
  access.ownersSeeTheirOwn,
  access.listsSayWhatIs,
  recovery.lostWorkersAreReplaced,
  recovery.deadExecutionsAreFound,
  recovery.acceptedJobsAreTakenUp,
  recovery.cancelledWorkersStop,
  recovery.onlyWhatIsDue,
];

export type Breach = { invariant: string; breach: string };

/** What a log breaks of them; nothing where all of them hold. */
export function check(entries: readonly LogEntry[]): Breach[] {
  const history = historyOf(entries);
  return invariants.flatMap(({ name, breaches }) =>
    breaches(history).map((breach) => ({ invariant: name, breach })),
  );
}
