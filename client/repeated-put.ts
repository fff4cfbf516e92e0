import { ApiError } from './api-error.ts';

const mostTries = 3;

/** Whether what has failed so many times is tried again: networks of people who upload films are not always good ones. */
export function isWorthRepeating(error: unknown, tries: number): boolean {
  return error instanceof ApiError && error.retryable && tries < mostTries;
}
