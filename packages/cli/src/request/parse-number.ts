import { maxKeepDays } from '@media-jobs/core/api';
import { InvalidArgumentError } from 'commander';

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

/** How long files are kept. The API calls `forever` null, which commander takes for an option without a value. */
export type KeepDays = number | 'forever';

export function parseKeepDays(text: string): KeepDays {
  if (text === 'forever') return text;
  const days = Number(text);
  if (Number.isInteger(days) && days >= 1 && days <= maxKeepDays) return days;
  throw new InvalidArgumentError(`Expected 1 to ${maxKeepDays} days, or forever.`);
}
