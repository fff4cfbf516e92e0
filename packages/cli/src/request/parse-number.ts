import { maxKeepDays } from '@media-jobs/core/api';
import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number above 0. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}

/** Parses the priority of a job. */
export function parsePriority(text: string): number {
  if (/^\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Expected 0 to 9.');
}

/** Parses how long files are kept: days, or `forever`, which the API calls null. */
export function parseKeepDays(text: string): number | null {
  if (text === 'forever') return null;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= maxKeepDays) return days;
  throw new InvalidArgumentError(`Expected 1 to ${maxKeepDays} days, or forever.`);
}
