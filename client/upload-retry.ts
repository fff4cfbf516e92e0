import { ApiError } from './api-error.ts';

const mostTries = 5;
const firstPauseMs = 1_000;

/** Whether what has failed so many times is tried again: networks of people who upload films are not always good ones. */
export function shouldRetryUpload(error: unknown, tries: number): boolean {
  return error instanceof ApiError && error.retryable && tries < mostTries;
}

/** How long to wait after so many tries: a network that has gone is not back at once. */
export function uploadRetryDelayMs(tries: number): number {
  return firstPauseMs * 2 ** (tries - 1);
}
