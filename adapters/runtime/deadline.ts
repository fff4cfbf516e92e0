import type { Context } from 'aws-lambda';

/** Time before Lambda's timeout for the terminal write and the removal of a failed job's files. */
const shutdownReserveMs = 30_000;

/** The time at which the work of an invocation must end: `reserveMs` before Lambda stops the function. */
export function deadlineOf(context: Pick<Context, 'getRemainingTimeInMillis'>, reserveMs = shutdownReserveMs): Date {
  return new Date(Date.now() + context.getRemainingTimeInMillis() - reserveMs);
}
