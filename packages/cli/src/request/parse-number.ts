import { InvalidArgumentError } from 'commander';

/** Parses an option that is a number above 0. */
export function parseNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError('Expected a number above 0.');
  return value;
}
