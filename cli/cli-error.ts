import type { ErrorDetail } from '../core/errors.ts';
import type { ExitName } from './exit-codes.ts';

type More = { details?: ErrorDetail[]; hint?: string; cause?: unknown };

/** What this program itself refuses or fails at, in words for the person at the terminal. */
export class CliError extends Error {
  readonly exit: ExitName;
  readonly details: ErrorDetail[] | undefined;
  /** What to do about it. */
  readonly hint: string | undefined;

  constructor(exit: ExitName, message: string, { details, hint, cause }: More = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exit = exit;
    this.details = details;
    this.hint = hint;
  }
}
