import type { ErrorDetail } from '@media-jobs/core/api';
import type { ExitName } from './exit-codes.ts';

type Extras = { details?: ErrorDetail[]; hint?: string; cause?: unknown };

/** An error that this program itself detects. The message is shown to the user as it is. */
export class CliError extends Error {
  readonly exit: ExitName;
  readonly details: ErrorDetail[] | undefined;
  readonly hint: string | undefined;

  constructor(exit: ExitName, message: string, { details, hint, cause }: Extras = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exit = exit;
    this.details = details;
    this.hint = hint;
  }
}
