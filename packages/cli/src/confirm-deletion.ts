import { ApiError } from '@media-jobs/client';

/**
 * Awaits a DELETE. One of the codes that mean that nothing is left is a success if an earlier attempt, whose response
 * was lost, may have deleted it.
 */
export async function confirmDeletion(
  request: Promise<unknown>,
  goneCodes: readonly string[] = ['NOT_FOUND'],
): Promise<void> {
  await request.catch((error: unknown) => {
    const isGone = error instanceof ApiError && error.followsLostAttempt && goneCodes.includes(error.code);
    if (!isGone) throw error;
  });
}
